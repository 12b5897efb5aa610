import type { NetworkSettings } from '#contract/network/settings.ts'
import type { PointLinkRow } from '../compile/rows.ts'
import { hasHost, nodeSegments } from '../compile/server-segments.ts'
import type { LinkKind } from '../members/links.ts'
import { parseGateway, servedSegments } from './member-segments.ts'
import { hostAddress, segmentText } from './segments.ts'

/* Inner addresses of both ends of a link, by its kind. */

/** Columns of a member that decide its addresses; `gateway` is stored JSON. */
export interface LinkEnd {
  readonly routerId: number
  readonly segmentIndex: number | null
  readonly host: number
  readonly gateway: string | null
}

/** Link settings with their addresses. The other links follow from the roles of members. */
export interface LinkRows {
  readonly centerLink: NetworkSettings['center_link']
  readonly pointLinks: readonly Pick<PointLinkRow, 'serverId' | 'clientId' | 'gateway' | 'mask'>[]
}

type Segment = Pick<PointLinkRow, 'gateway' | 'mask'>

interface Ends<T> {
  readonly client: T
  readonly server: T
}

/** Inner addresses of a link with a segment of its own. */
export const pointLinkAddresses = (link: Segment): Ends<string> => ({
  client: hostAddress(segmentText(link), 2),
  server: hostAddress(segmentText(link), 1),
})

/** Without its own segment, each end of the link uses its address in the hardware segment. */
export const centerLinkAddresses = <T>(
  link: Segment,
  { client, server }: Ends<T>,
  hardwareAddress: (center: T) => string,
): Ends<string> =>
  link.gateway === '' ? { client: hardwareAddress(client), server: hardwareAddress(server) } : pointLinkAddresses(link)

/** Inner addresses of both ends of a link, as in compile/links.ts; empty if unknown. */
export function linkAddresses(
  kind: Exclude<LinkKind, 'access' | 'pop'> | undefined,
  client: LinkEnd,
  server: LinkEnd,
  { centerLink, pointLinks }: LinkRows,
): Ends<string> {
  if (kind === undefined) return { client: hostIn(server, client.host), server: hostIn(server, 1) }
  if (kind === 'center') return centerLinkAddresses(centerLink, { client, server }, (center) => hostIn(center, 1))
  const row = pointLinks.find((link) => link.serverId === server.routerId && link.clientId === client.routerId)
  return row ? pointLinkAddresses(row) : { client: '', server: '' }
}

/** An address in the hardware segment of a centre; empty for other members. */
function hostIn({ gateway, ...center }: LinkEnd, host: number): string {
  if (center.segmentIndex === null) return ''
  return hostAddress(servedSegments({ ...center, gateway: parseGateway(gateway) }).router, host)
}

type Network = Parameters<typeof nodeSegments>[0]
type Node = Parameters<typeof nodeSegments>[1]

/** Returns a predicate: the member has an address in the node's hardware segment. */
export function placesAt(
  members: readonly { readonly routerId: number; readonly host: number }[],
  nodes: readonly (Node & { readonly routerName: string })[],
  settings: Network['settings'],
): (routerId: number, nodeName: string) => boolean {
  const hosts = new Map(members.map(({ routerId, host }) => [routerId, host]))
  const segments = new Map(
    nodes.map((node) => [node.routerName, nodeSegments({ popNodes: nodes, settings }, node).router]),
  )
  return (routerId, nodeName) => {
    const [host, segment] = [hosts.get(routerId), segments.get(nodeName)]
    return host !== undefined && segment !== undefined && hasHost(segment, host)
  }
}

/** Inner addresses of a member and its POP node, as in compile/pop.ts; empty if the node's segment has no such host. */
export function popAddresses(client: { readonly host: number }, node: Node, network: Network): Ends<string> {
  const { router } = nodeSegments(network, node)
  return {
    client: hasHost(router, client.host) ? hostAddress(router, client.host) : '',
    server: hostAddress(router, 1),
  }
}
