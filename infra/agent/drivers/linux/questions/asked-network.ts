import type { DocumentLink, DocumentNetwork } from '#contract/device/document.ts'
import { TUNNEL_TABLE } from '#infra/agent/drivers/render/policy-rules.ts'
import { isPair, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import { linkDevices } from '../link-states.ts'
import type { Rendering } from '../tool.ts'

/* A network of the running document, and its place on the device. Pure. */

export interface NetworkPlace {
  /** Network namespace that it runs in; null: that of the device. */
  readonly namespace: string | null
  /** Routing table of its routes. */
  readonly table: number
  /** Interfaces of its tunnels. */
  readonly devices: readonly string[]
  /** LAN interfaces of the device; none on a node. */
  readonly lans: readonly string[]
}

export interface AskedNetwork extends NetworkPlace {
  /** Links by the name of their interface; one that accepts members has many. */
  readonly links: ReadonlyMap<string, readonly DocumentLink[]>
  /** Addresses of the device inside the network. */
  readonly own: ReadonlySet<string>
}

export function askedNetwork(rendering: Rendering | null, number: string): AskedNetwork | null {
  const found = rendering && listNetworks(rendering.document, rendering.slots)
  const one = found?.find(({ network }) => network.network_number === number)
  if (!rendering || !one) return null
  const devices = linkDevices(rendering)
  return {
    namespace: null,
    table: TUNNEL_TABLE,
    devices: one.tunnels.map(({ device }) => device),
    lans: rendering.target.lan,
    links: Map.groupBy(
      one.network.links.filter(({ id }) => devices.has(id)),
      ({ id }) => devices.get(id) ?? '',
    ),
    own: ownAddresses(one.network),
  }
}

const ownAddresses = ({ addresses, links, servers }: DocumentNetwork): ReadonlySet<string> =>
  new Set([...addresses, ...servers].map(({ ip }) => ip).concat(links.map(({ local_ip }) => local_ip)))

/** Link that a packet takes over an interface to a next hop; null for an interface or a hop without one. */
export function linkOver({ links }: Pick<AskedNetwork, 'links'>, device: string, hop: string): DocumentLink | null {
  const over = links.get(device) ?? []
  const [only] = over
  if (only && over.length === 1 && (only.role === 'client' || isPair(only))) return only
  return over.find(({ remote_ip }) => remote_ip === hop) ?? null
}
