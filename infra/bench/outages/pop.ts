import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { claimDevice, createAccount, openConsole, operatorCalls } from '../account.ts'
import { type Stack, until } from '../stack.ts'
import { agentProcess } from './processes.ts'
import type { Trouble } from './cases.ts'
import { NETWORKS, RESEARCH, type Tenant } from './tenant.ts'

/* POP access of a tenant's network, whose node is a real agent that is killed. */

const OPERATOR = { username: 'outagepop', password: 'Outage2026' } as const
const AREA = '华东'
const READY_MS = 120_000

export async function openPop(stack: Stack, { call, folder, devices, numbers }: Tenant): Promise<Trouble> {
  const ops = operatorCalls(stack)
  await createAccount(stack, OPERATOR, {})
  const device = await claimDevice(stack, openConsole(stack, OPERATOR.username), 'NLOUTAGEPOP', AREA)
  await ops(opsApi.createPop, { name: AREA })
  await ops(opsApi.popNode, { name: AREA, serial: device.serial })
  const network_number = numbers.get(RESEARCH) ?? ''
  const { ticket } = await call(networkApi.ticketConfig, { network_number })
  const area = ticket.pop.find(({ name }) => name === AREA)?.value ?? 0
  const members = NETWORKS[RESEARCH].point.map((note) => devices.get(note)?.serial ?? '')
  const { network_ticket_number: number } = await call(networkApi.ticket, {
    network_number,
    ticket: { pop: [area], expired_time: 1, bandwidth: 50 },
    pop_conf: { [area]: members },
  })
  await ops(opsApi.startNetworkTicket, { number })
  await ops(opsApi.completeNetworkTicket, { number, name: '华东骨干', shortname: '华东' })
  const node = agentProcess(stack.origin, folder, device)
  const isReached = async () => {
    const { link } = await call(networkApi.status, { network_number })
    const own = link.filter(({ kind }) => kind === 'pop')
    return own.length > 0 && own.every(({ state }) => state === 'up')
  }
  await until(isReached, READY_MS).catch((error: unknown) => node.stop().then(() => Promise.reject(error)))
  return { begin: () => node.kill(), end: () => node.start(), close: () => node.stop() }
}
