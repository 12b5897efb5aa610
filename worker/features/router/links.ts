import type { z } from 'zod'
import type { RouterLinks } from '#contract/kernel/hubs.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import type { routerLink } from '#contract/router/views.ts'
import type { selectNodesOfRouter } from '#features/network-fr/sql/nodes.ts'
import type { selectNetworksByRouter } from './sql/routers.ts'
import { countLinks, worstLinksFirst } from '#domain/health/link.ts'
import { sumPaths } from '#domain/health/paths.ts'
import { type LinkRows, linkAddresses, popAddresses } from '#domain/network/addresses/link-addresses.ts'
import type { Ctx } from '#http/context.ts'
import type { selectLinkPeers } from './sql/lists.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { askNetworkHub } from '#features/network/service.ts'

/* Links of one router in all its networks, as the network hubs report them, with addresses and paths. */

type RouterLink = z.infer<typeof routerLink>
type Membership = Awaited<ReturnType<typeof selectNetworksByRouter>>[number]
type Peer = Awaited<ReturnType<typeof selectLinkPeers>>[number]
type Node = Awaited<ReturnType<typeof selectNodesOfRouter>>[number]

/** Rows of a network that decide about links besides the members' roles, and their addresses. */
export interface RouterLinkRows extends LinkRows {
  readonly nodes: readonly Node[]
  readonly ipPool: NetworkSettings['ip_pool']
}

/**
 * Links of one router in its networks (at most `NETWORK.perRouter`), whose hubs are asked in parallel.
 * @param rowsOf rows of one network
 */
export async function readRouterLinks(
  ctx: Pick<Ctx, 'hubs'>,
  routerName: string,
  memberships: readonly Membership[],
  peers: readonly Peer[],
  rowsOf: (networkId: number) => RouterLinkRows,
) {
  // A network without another end has no links, so its hub is not asked.
  const linked = memberships.filter(
    ({ id }) => peers.some(({ networkId }) => networkId === id) || rowsOf(id).nodes.length > 0,
  )
  const readLinks = ({ hub, revision }: Membership): Promise<RouterLinks | null> =>
    askNetworkHub(hub, () => ctx.hubs.network(hub).routerLinks(revision, routerName))
  const read = await Promise.all(linked.map(async (network) => ({ network, found: await readLinks(network) })))
  const links = read.flatMap(({ network, found }) =>
    toRouterLinks(routerName, network, peers, found?.links ?? [], rowsOf(network.id)),
  )
  return {
    shown: {
      link: worstLinksFirst(links).slice(0, NETWORK.linksShown),
      link_count: countLinks(links),
      paths: sumPaths(read.flatMap(({ found }) => found?.paths ?? [])),
      link_missing: read.flatMap(({ network, found }) => (found === null ? [network.number] : [])),
    },
    reached: links.flatMap(({ center_router_name: server, remote }) => (server === routerName ? toHost(remote) : [])),
  }
}

/** Address without its port. */
const toHost = (remote = ''): readonly string[] => {
  const [, ipv6, ipv4] = /^(?:\[(.+)\]|([^:]+)):\d+$/.exec(remote) ?? []
  return (ipv6 ?? ipv4) ? [ipv6 ?? ipv4 ?? ''] : []
}

/** Links of one network. The hub may still name a member that has just left and has no row; its link is left out. */
function toRouterLinks(
  routerName: string,
  network: Membership,
  peers: readonly Peer[],
  links: readonly LinkView[],
  rows: RouterLinkRows,
): readonly RouterLink[] {
  const byName = new Map(peers.filter((peer) => peer.networkId === network.id).map((peer) => [peer.routerName, peer]))
  return links.flatMap((link) => {
    const ofNetwork = { ...link, network_number: network.number, network_name: network.name }
    if (link.kind === 'pop') return toNodeLink(ofNetwork, network, rows) ?? []
    const peer = byName.get(link.router_name === routerName ? link.center_router_name : link.router_name)
    if (!peer) return []
    const isClient = link.router_name === routerName
    const [client, server] = isClient ? [network, peer] : [peer, network]
    const addresses = linkAddresses(link.kind, client, server, rows)
    return [
      {
        ...ofNetwork,
        peer: { router_name: peer.routerName, note: peer.note, member_type: peer.memberType },
        vpn_ip: isClient ? addresses.client : addresses.server,
        peer_vpn_ip: isClient ? addresses.server : addresses.client,
      },
    ]
  })
}

type LinkOfNetwork = LinkView & Pick<RouterLink, 'network_number' | 'network_name'>

/** Link to a node. It is shown by the name of its area, because it belongs to the operator and has no page. */
function toNodeLink(link: LinkOfNetwork, network: Membership, { nodes, ipPool }: RouterLinkRows): RouterLink | null {
  const node = nodes.find(({ routerName }) => routerName === link.center_router_name)
  if (!node) return null
  const addresses = popAddresses(network, node, { popNodes: nodes, settings: { ip_pool: ipPool } })
  return {
    ...link,
    peer: { router_name: node.routerName, note: node.area, member_type: 'pop' },
    vpn_ip: addresses.client,
    peer_vpn_ip: addresses.server,
  }
}
