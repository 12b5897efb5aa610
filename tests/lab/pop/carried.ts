import { networkApi } from '#contract/network/index.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { NODE_NAMES, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { openNodes, orderNodes } from '#infra/lab/nodes.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Way, findCarriers, untilCarriedBy } from '../carriers.ts'
import { untilWell } from '../stands.ts'

/* The network OFFICE with nodes: C and D dial P1 as their main node and P2 as their backup. */

export const BANDWIDTH = 10
/** Way by nodes or centres. */
export const BY_NODES: Way = { from: 'C', to: 'D', by: [...OFFICE.center, ...NODE_NAMES] }
/** Resource mode: the ways that its members prefer. */
export const MODE = { center: 1, pop: 2 } as const

const SETTLED_MS = 60_000

interface Carried {
  readonly nodes: Awaited<ReturnType<typeof openNodes>>
  readonly network_fr_id: number
}

const opened = new WeakMap<Lab, Promise<Carried>>()

/** Starts the nodes and gives the network to them at the first check that needs them; they stay until the lab ends. */
export function carryOffice(lab: Lab): Promise<Carried> {
  const carried = opened.get(lab) ?? openOffice(lab)
  opened.set(lab, carried)
  return carried
}

async function openOffice(lab: Lab): Promise<Carried> {
  const [customer] = lab.customers
  const { network_number, name } = officeOf(customer)
  const nodes = await openNodes(lab)
  const order = { network_number, main: 'P1', members: [name('C'), name('D')], bandwidth: BANDWIDTH } as const
  const network_fr_id = await orderNodes(lab, customer, order)
  await untilWell(customer, OFFICE.name)
  return { nodes, network_fr_id }
}

/** Runs while nodes carry the network, and waits until centres carry it again: a mode reaches the devices after its save. */
export async function withNodesPreferred(lab: Lab, run: (carried: Carried) => Promise<void>): Promise<void> {
  const carried = await carryOffice(lab)
  await setMode(lab, carried, MODE.pop)
  try {
    await untilCarriedBy(lab, BY_NODES, 'P1')
    await run(carried)
  } finally {
    await setMode(lab, carried, MODE.center)
  }
  await poll(
    'packets go by centres',
    SETTLED_MS,
    () => findCarriers(lab, BY_NODES),
    (carriers) => carriers.length > 0 && carriers.every((one) => OFFICE.center.some((center) => center === one)),
  )
}

function setMode({ customers: [customer] }: Lab, { network_fr_id }: Carried, mode: (typeof MODE)[keyof typeof MODE]) {
  const { call, network_number } = officeOf(customer)
  return call(networkApi.fr, { network_number, network_fr_id, mode })
}

const HOP = /^From ([\d.]+) .*[Tt]ime to live exceeded/m

/** Address of the router at which packets of this many hops end on the way between two hosts; empty if none answers. */
export async function readHop({ bed }: Lab, { from, to }: Pick<Way, 'from' | 'to'>, hops: number): Promise<string> {
  const argv = ['ping', '-n', '-c', '1', '-W', '1', '-t', String(hops), hostAddress(to)]
  return HOP.exec((await bed.run(hostName(from), argv)).output)?.[1] ?? ''
}
