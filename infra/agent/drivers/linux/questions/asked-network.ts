import type { DocumentLink, DocumentNetwork } from '#contract/device/document.ts'
import { isPair, listNetworks } from '#infra/agent/drivers/render/tunnels.ts'
import { linkDevices } from '../link-states.ts'
import { type Place, findPlace } from '../place.ts'
import type { Rendering } from '../tool.ts'

/* A network of the running document, and its place on the device. Pure. */

export interface AskedNetwork extends Place {
  /** Links by the name of their interface; one that accepts members has many. */
  readonly links: ReadonlyMap<string, readonly DocumentLink[]>
  /** Addresses of the device inside the network. */
  readonly own: ReadonlySet<string>
}

/** @param namespace file of its network namespace; null: that of this process. */
export function askedNetwork(
  rendering: Rendering | null,
  number: string,
  namespace: string | null = null,
): AskedNetwork | null {
  const place = findPlace(rendering, number, namespace)
  const found = rendering && listNetworks(rendering.document, rendering.slots)
  const one = found?.find(({ network }) => network.network_number === number)
  if (!rendering || !one || !place) return null
  const devices = linkDevices(rendering)
  return {
    ...place,
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
