import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { claimDevice, createAccount, openConsole, operatorCalls } from '#infra/bench/account.ts'
import { type LabAgent, nodeOf, openAgent } from './agents.ts'
import { NODES, NODE_NAMES, type NodeName } from './bed/sites.ts'
import type { Customer } from './customers.ts'
import type { Lab } from './lab.ts'

/* Nodes of the lab's operator, and orders of customers for their areas, by the calls of operator and console. */

const OPERATOR = { username: 'laboperator', password: 'LabTest2026' } as const

/** Creates the areas, and starts an agent for the node of each. */
export async function openNodes({ bed, stack, driver, folder }: Lab): Promise<ReadonlyMap<NodeName, LabAgent>> {
  const ops = operatorCalls(stack)
  await createAccount(stack, OPERATOR, {})
  const call = openConsole(stack, OPERATOR.username)
  const agents = new Map<NodeName, LabAgent>()
  for (const name of NODE_NAMES) {
    const { area } = NODES[name]
    const device = await claimDevice(stack, call, `NLLABNODE${name}`, `${area}节点`)
    await ops(opsApi.createPop, { name: area })
    await ops(opsApi.popNode, { name: area, serial: device.serial })
    agents.set(name, openAgent(bed, nodeOf(name), device, driver, folder))
  }
  for (const agent of agents.values()) agent.start()
  return agents
}

/** Members of a network that dial a node as their main one; every other node is their backup. */
interface Order {
  readonly network_number: string
  readonly main: NodeName
  readonly members: readonly string[]
  /** Mbit/s. */
  readonly bandwidth: number
}

/** Segments of nodes, which a network needs before it chooses how its members use them. Customers may have the same. */
const SEGMENTS = {
  pop: { gateway: '10.210.0.0', mask: 20 },
  pop_software: { gateway: '10.211.0.0', mask: 20 },
} as const

/** Orders all areas for a network, as its customer, and completes the order. @returns the id of the resource */
export async function orderNodes({ stack }: Lab, { call }: Customer, order: Order): Promise<number> {
  const { network_number, main, members, bandwidth } = order
  const ops = operatorCalls(stack)
  await call(networkApi.editIpAddressPool, { network_number, ...SEGMENTS })
  const { ticket } = await call(networkApi.ticketConfig, { network_number })
  const valueOf = (name: NodeName) => ticket.pop.find((one) => one.name === NODES[name].area)?.value ?? 0
  const { network_ticket_number: number } = await call(networkApi.ticket, {
    network_number,
    ticket: { pop: NODE_NAMES.map(valueOf), expired_time: 1, bandwidth },
    pop_conf: { [valueOf(main)]: [...members] },
  })
  await ops(opsApi.startNetworkTicket, { number })
  const { network_fr_id } = await ops(opsApi.completeNetworkTicket, { number })
  const areas = await call(networkFrApi.ov, { network_number })
  const idOf = (name: NodeName) => areas.find((one) => one.name === NODES[name].area)?.id ?? 0
  const [backup] = NODE_NAMES.filter((name) => name !== main)
  if (backup)
    await call(networkApi.memberOv, {
      network_number,
      ov_id_main: 0,
      members: members.map((router_name) => ({ router_name, ov_id_main: idOf(main), ov_id_backup: idOf(backup) })),
    })
  return network_fr_id
}
