import { TUNNEL_TABLE } from '../render/policy-rules.ts'
import { listNetworks } from '../render/tunnels.ts'
import type { Rendering } from './tool.ts'

/** Part of the device that carries the packets of one network. */
export interface Place {
  /** File of its network namespace (`runnerIn`); null: that of this process. */
  readonly namespace: string | null
  /** Routing table of the kernel with the routes of its tunnels. */
  readonly table: number
  /** Interfaces of its tunnels, also of those that do not stand. */
  readonly devices: readonly string[]
  /** LAN ports; their own segments are in the main table. */
  readonly lans: readonly string[]
}

const MAIN_TABLE = 254

/** Place of a network of a running document; null for another one. Pure. */
export function findPlace(rendering: Rendering | null, number: string, namespace: string | null): Place | null {
  if (rendering === null) return null
  const found = listNetworks(rendering.document, rendering.slots).find((each) => each.network.network_number === number)
  if (!found) return null
  return {
    namespace,
    table: namespace === null ? TUNNEL_TABLE : MAIN_TABLE,
    devices: found.tunnels.map(({ device }) => device),
    lans: namespace === null ? rendering.target.lan : [],
  }
}
