import { eq } from 'drizzle-orm'
import type { Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networkTickets } from '#db/schema/pop.ts'
import { type Caller, type TestRouter, createMainAccount, createRouter } from './fixtures.ts'
import { unique } from './rows.ts'
import { call, db } from './test-worker.ts'
import { networkApi } from '#contract/network/index.ts'

export interface TestPop {
  readonly id: number
  readonly name: string
  readonly node: TestRouter
}

/** An area that is offered, with one node of the operator's own account. */
export async function createPop(over: { readonly withNode?: boolean } = {}): Promise<TestPop> {
  const name = unique('区域')
  const reply = await call(opsApi.createPop, { name })
  const operator = await createMainAccount()
  const node = await createRouter(operator.accountId)
  if (over.withNode !== false) await call(opsApi.popNode, { name, serial: node.name })
  return { id: reply.data.pop_id, name, node }
}

/** An order of these areas for a network. */
export async function createTicket(
  by: Caller,
  network_number: string,
  areas: readonly Pick<TestPop, 'id'>[],
  pop_conf: Input<typeof networkApi.ticket>['pop_conf'] = {},
): Promise<string> {
  const ticket = { pop: areas.map(({ id }) => id), expired_time: 1, bandwidth: 50 }
  const reply = await by.call(networkApi.ticket, { network_number, ticket, pop_conf })
  if (reply.code !== 200) throw new Error(reply.msg)
  return reply.data.network_ticket_number
}

export const setTicketStatus = (number: string, status: 1 | 2 | 3 | 4) =>
  db.update(networkTickets).set({ status }).where(eq(networkTickets.number, number))

export async function ticketRow(number: string) {
  const [row] = await db.select().from(networkTickets).where(eq(networkTickets.number, number))
  return row
}
