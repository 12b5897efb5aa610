import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { Call } from '#infra/local/api.ts'
import { type DemoDevice, device } from './devices.ts'
import { FACTORY, HEADQUARTERS, RESEARCH, STORES } from './networks.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* POP areas and nodes of the demo, and orders of POP access for its networks. */

/** The operator's own account, whose devices are the nodes of its POP areas. */
export const OPERATOR = { username: 'popnodes', nickname: '骨干网运营' } as const

const AREAS: readonly { readonly name: string; readonly node: DemoDevice }[] = [
  { name: '上海', node: device('NLPOPSH01', '上海 POP 节点', null, 'virtual', 'NL-P1000') },
  { name: '成都', node: device('NLPOPCD01', '成都 POP 节点', null, 'virtual', 'NL-P1000') },
  { name: '广州', node: device('NLPOPGZ01', '广州 POP 节点', null, 'virtual', 'NL-P1000') },
]

/** Order of POP access, and the operator's step. */
interface DemoOrder {
  readonly network: string
  readonly bandwidth: number
  readonly years: 1 | 2 | 3
  /** Members by area. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  readonly step: 'none' | 'start' | 'complete' | 'cancel'
  /** Note of the operator. */
  readonly note: string
  /** Resource of a completed order. */
  readonly resource?: { readonly name: string; readonly shortname: string; readonly endsInDays: number }
  /** Backup areas, which members choose after completion. */
  readonly backup?: Readonly<Record<string, string>>
}

const ORDERS: readonly DemoOrder[] = [
  {
    network: HEADQUARTERS.name,
    bandwidth: 150,
    years: 1,
    areas: { 广州: ['NL22P002'] },
    step: 'cancel',
    note: '广州 POP 本月余量不足，请改选其他带宽后重新提交。',
  },
  {
    network: RESEARCH.name,
    bandwidth: 100,
    years: 1,
    areas: { 上海: ['liu.yang@qiming'], 成都: ['NL22P003', 'NL22P005'], 广州: ['zhou.min@qiming'] },
    step: 'complete',
    note: '已完成接入，三个区域各一个节点。',
    resource: { name: '研发骨干接入', shortname: '研发骨干', endsInDays: 20 },
    backup: { NL22P003: '上海', NL22P005: '广州' },
  },
  {
    network: STORES.name,
    bandwidth: 50,
    years: 2,
    areas: { 上海: ['NL22S001', 'NL22S002', 'NL22S003'], 广州: ['NL22S025', 'NL22S026'] },
    step: 'start',
    note: '正在核对带宽，预计两个工作日完成。',
  },
  { network: FACTORY.name, bandwidth: 50, years: 1, areas: { 成都: ['NL22P004'] }, step: 'none', note: '' },
]

/** Creates POP areas with their nodes; `claim` binds a node's device to the operator's own account. */
export async function loadAreas<T>(ops: Call, claim: (device: DemoDevice) => Promise<T>): Promise<T[]> {
  const nodes: T[] = []
  for (const { name, node } of AREAS) {
    await ops(opsApi.createPop, { name })
    nodes.push(await claim(node))
    await ops(opsApi.popNode, { name, serial: node.serial })
  }
  return nodes
}

/** Creates the orders of these networks, each with the operator's step. */
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

async function complete(
  ops: Call,
  api: Call,
  { network_number, number }: Readonly<Record<'network_number' | 'number', string>>,
  order: DemoOrder,
): Promise<void> {
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
