import type { z } from 'zod'
import type { RouterLinks } from '../../contract/hubs.ts'
import { NETWORK } from '../../contract/limits.ts'
import { HEALTH } from '../../contract/hub-limits.ts'
import type { LinkView } from '../../contract/protocol.ts'
import type { routerLink } from '../../contract/router-views.ts'
import { within } from '../../db/map-limit.ts'
import type { selectNetworksByRouter } from '../../db/routers.ts'
import { countLinks, worstLinksFirst } from '../../domain/health/link.ts'
import { sumPaths } from '../../domain/health/paths.ts'
import { type LinkRows, linkAddresses } from '../../domain/network/link-addresses.ts'
import type { Ctx } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import type { selectLinkPeers } from './queries.ts'

type RouterLink = z.infer<typeof routerLink>
type Membership = Awaited<ReturnType<typeof selectNetworksByRouter>>[number]
type Peer = Awaited<ReturnType<typeof selectLinkPeers>>[number]

/**
 * Links of one router over its networks, at most `NETWORK.perRouter`, whose hubs are asked at the same time.
 *
 * @param rowsOf what makes links of a network besides its roles.
 */
export async function readRouterLinks(
  ctx: Pick<Ctx, 'hubs'>,
  routerName: string,
  memberships: readonly Membership[],
  peers: readonly Peer[],
  rowsOf: (networkId: number) => LinkRows,
) {
  // A network without another end has no links: its hub need not be asked.
  const linked = memberships.filter(({ id }) => peers.some(({ networkId }) => networkId === id))
  const read = await Promise.all(
    linked.map(async (network) => ({ network, found: await readLinks(ctx, network, routerName) })),
  )
  const links = read.flatMap(({ network, found }) =>
    toRouterLinks(routerName, network, peers, found?.links ?? [], rowsOf),
  )
  return {
    link: worstLinksFirst(links).slice(0, NETWORK.linksShown),
    link_count: countLinks(links),
    paths: sumPaths(read.flatMap(({ found }) => found?.paths ?? [])),
    link_missing: read.flatMap(({ network, found }) => (found === null ? [network.number] : [])),
  }
}

/** Null where the network's hub does not answer. */
async function readLinks(
  ctx: Pick<Ctx, 'hubs'>,
  { hub, number, revision }: Membership,
  routerName: string,
): Promise<RouterLinks | null> {
  try {
    return (await within(HEALTH.answerMs, ctx.hubs.network(hub).routerLinks(revision, routerName))) ?? null
  } catch (error) {
    log('warn', 'network hub', { number, error: faultText(error) })
    return null
  }
}

/** A hub may still name a member that has just left: it has no row any more. */
function toRouterLinks(
  routerName: string,
  network: Membership,
  peers: readonly Peer[],
  links: readonly LinkView[],
  rowsOf: (networkId: number) => LinkRows,
): readonly RouterLink[] {
  const byName = new Map(peers.filter((peer) => peer.networkId === network.id).map((peer) => [peer.routerName, peer]))
  return links.flatMap((link) => {
    const peer = byName.get(link.router_name === routerName ? link.center_router_name : link.router_name)
    if (!peer || link.kind === 'pop') return [] // nodes of the operator are no peers
    const isClient = link.router_name === routerName
    const [client, server] = isClient ? [network, peer] : [peer, network]
    const addresses = linkAddresses(link.kind, client, server, rowsOf(network.id))
    return [
      {
        ...link,
        network_number: network.number,
        network_name: network.name,
        peer: { router_name: peer.routerName, note: peer.note, member_type: peer.memberType },
        vpn_ip: isClient ? addresses.client : addresses.server,
        peer_vpn_ip: isClient ? addresses.server : addresses.client,
      },
    ]
  })
}
