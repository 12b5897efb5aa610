import { type Violation, violation } from '#contract/kernel/result.ts'
import { freeHosts, hostRanges } from '../addresses/hosts.ts'
import { parseGateway, parsePool } from '../addresses/member-segments.ts'
import { readNetworkSettings } from '../history/stored-settings.ts'
import { nodeHosts } from '../pop/pool.ts'
import { type Quota, checkJoin } from './membership.ts'
import type { RouterType } from '#contract/router/limits.ts'

/* New members that join a network as points: the hosts that they get, and how many may join. */

interface NetworkRow {
  /** JSON of the hosts of its members. */
  readonly hosts: string
  readonly ipPool: string | null
  /** Number of POP nodes that carry it. */
  readonly nodes: number
}

interface CenterRow {
  readonly segmentIndex: number | null
  readonly gateway: string | null
  readonly pool: string | null
}

/** Hosts in use in a network, and the ranges for new members; input of `planPoints`. */
export function readPlaces(network: NetworkRow, centers: readonly CenterRow[]) {
  const ranges = hostRanges(
    centers.map(({ segmentIndex, gateway, pool }) => ({
      memberType: 'center' as const,
      segmentIndex,
      gateway: parseGateway(gateway),
      pool: parsePool(pool),
    })),
  )
  const { ip_pool: ipPool } = readNetworkSettings(
    network.ipPool === null ? [] : [{ setting: 'ip_pool', value: network.ipPool, revision: 0 }],
  ).values
  return { hosts: JSON.parse(network.hosts) as number[], ranges, preferred: nodeHosts(ipPool, network.nodes) }
}

interface Candidate {
  readonly name: string
  readonly type: RouterType
}

/** Adds candidates as points in their order until one may not join; `refused` is the reason. */
export function planPoints(
  network: { readonly status: number },
  { hosts, ranges, preferred }: ReturnType<typeof readPlaces>,
  quota: Quota,
  candidates: readonly Candidate[],
) {
  const used = new Set(hosts)
  const spare = { 1: freeHosts(1, used, ranges, preferred), 2: freeHosts(2, used, ranges, preferred) }
  const points: { readonly name: string; readonly host: number }[] = []
  const end = (refused: Violation | null) => ({ points, refused })
  for (const { name, type } of candidates) {
    const refused = checkJoin(network, hosts.length, quota, points.length + 1)
    if (refused) return end(refused)
    const host = spare[type].next().value
    if (host === undefined) return end(violation('SEGMENTS_USED_UP'))
    used.add(host)
    points.push({ name, host })
  }
  return end(null)
}
