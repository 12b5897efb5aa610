import { eq } from 'drizzle-orm'
import { networkApi } from '../../../worker/contract/network.ts'
import { auditLogs } from '../../../worker/db/schema/accounts.ts'
import { networkMembers, networks } from '../../../worker/db/schema/networks.ts'
import { type TestRouter, aHardware, aSoftware, several } from '../../support/members.ts'
import { type Caller, aMainAccount, db, hubCalls } from '../../support/world.ts'

/** An account with seats for ten members, and routers that are in no network. */
export async function aFleet(over: { seats?: number; centers?: number; hardware?: number; software?: number } = {}) {
  const { seats = 10, centers = 0, hardware = 4, software = 1 } = over
  const main = await aMainAccount(undefined, { services: { network_member: seats, center: centers } })
  const routers = await several(hardware, () => aHardware(main.accountId))
  const apps = await several(software, () => aSoftware(main.accountId))
  return { main, routers, apps }
}

/** A network of these routers, the first its centre. */
export async function aNetwork(by: Caller, members: readonly TestRouter[], name = '测试网'): Promise<string> {
  const [center, ...points] = members.map((router) => router.name)
  const reply = await by.call(networkApi.create, { network_name: name, center: [center!], point: points })
  if (reply.code !== 200) throw new Error(reply.msg)
  return reply.data.network_number
}

export async function networkRow(number: string) {
  const [row] = await db.select().from(networks).where(eq(networks.number, number))
  return row!
}

/** Rows of a network's members, in the order they joined. */
export async function memberRows(number: string) {
  return db
    .select()
    .from(networkMembers)
    .where(eq(networkMembers.networkId, (await networkRow(number)).id))
    .orderBy(networkMembers.id)
}

export const auditsOf = (accountId: number) =>
  db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId)).orderBy(auditLogs.id)

/** Hubs of the routers that were told since then that their document may have moved. */
export const refreshed = (since: number) =>
  hubCalls
    .slice(since)
    .filter((call) => call.kind === 'router' && call.method === 'refresh')
    .map((call) => call.hub)
    .toSorted()

export const hubsOf = (...routers: readonly (TestRouter | undefined)[]) =>
  routers.map((router) => router!.hub).toSorted()
