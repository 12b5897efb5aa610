import { hostRanges } from './host-ranges.ts'
import { nodeHosts } from '../pop/pool.ts'
import { parseGateway, parsePool } from './member-segment-list.ts'
import { readNetworkSettings } from '../history/stored-settings.ts'

interface NetworkRow {
  /** JSON of the hosts of its members. */
  readonly hosts: string
  readonly ipPool: string | null
  /** POP nodes that carry it. */
  readonly nodes: number
}

interface CenterRow {
  readonly segmentIndex: number | null
  readonly gateway: string | null
  readonly pool: string | null
}

/** Hosts of a network's members, and which others a new member may have; `planPoints` gives them. */
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
