import { networkFrApi } from '#contract/network-fr/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { Call } from '#infra/local/api.ts'
import type { DemoDevice } from './devices.ts'
import { AREAS, type DemoOrder, ORDERS } from './pop.ts'
import { networkApi } from '#contract/network/index.ts'

const DAY_MS = 86_400_000

/** POP areas with their nodes; `claim` binds a node's device to the operator's own account. */
export async function loadAreas<T>(ops: Call, claim: (device: DemoDevice) => Promise<T>): Promise<T[]> {
  const nodes: T[] = []
  for (const { name, node } of AREAS) {
    await ops(opsApi.createPop, { name })
    nodes.push(await claim(node))
    await ops(opsApi.popNode, { name, serial: node.serial })
  }
  return nodes
}

/** The orders of these networks, each with the operator's step. */
export async function loadOrders(ops: Call, api: Call, numbers: ReadonlyMap<string, string>): Promise<void> {
  for (const order of ORDERS) {
    const network = numbers.get(order.network)
    if (network !== undefined) await loadOrder(ops, api, network, order)
  }
}

async function loadOrder(ops: Call, api: Call, network_number: string, order: DemoOrder): Promise<void> {
  const { ticket: offer } = await api(networkApi.ticketConfig, { network_number })
  const areas = Object.entries(order.areas).map(([name, members]) => {
    const value = offer.pop.find((area) => area.name === name)?.value ?? 0
    return [value, [...members]] as [number, string[]]
  })
  const { network_ticket_number: number } = await api(networkApi.ticket, {
    network_number,
    ticket: { pop: areas.map(([value]) => value), expired_time: order.years, bandwidth: order.bandwidth },
    pop_conf: Object.fromEntries(areas),
  })
  const { note, step } = order
  if (step === 'cancel') await ops(opsApi.cancelNetworkTicket, { number, note })
  if (step === 'start' || step === 'complete') await ops(opsApi.startNetworkTicket, { number, note })
  if (step === 'complete') await complete(ops, api, { network_number, number }, order)
}

interface Ordered {
  readonly network_number: string
  readonly number: string
}

async function complete(ops: Call, api: Call, { network_number, number }: Ordered, order: DemoOrder): Promise<void> {
  const { note, resource, backup = {} } = order
  const { endsInDays, ...names } = resource ?? { endsInDays: order.years * 365 }
  const expired_time = Date.now() + endsInDays * DAY_MS
  await ops(opsApi.completeNetworkTicket, { number, note, expired_time, ...names })
  const areas = await api(networkFrApi.ov, { network_number })
  const idOf = (name: string | undefined) => areas.find((area) => area.name === name)?.id ?? 0
  const mainOf = (member: string) => Object.entries(order.areas).find(([, members]) => members.includes(member))?.[0]
  const members = Object.entries(backup).map(([router_name, area]) => ({
    router_name,
    ov_id_main: idOf(mainOf(router_name)),
    ov_id_backup: idOf(area),
  }))
  if (members.length > 0) await api(networkApi.memberOv, { network_number, members })
}
