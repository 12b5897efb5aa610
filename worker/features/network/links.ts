import type { z } from 'zod'
import { toWireBoolean } from '../../contract/fields.ts'
import type { HubName } from '../../contract/hubs.ts'
import type { networkLink } from '../../contract/network.ts'
import type { LinkView } from '../../contract/protocol.ts'
import { computeLinks } from '../../domain/network/links.ts'
import { centerSegments, hostAddress } from '../../domain/network/segments.ts'
import type { Ctx } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import type { selectLinkEnds } from './queries.ts'

type NetworkLink = z.infer<typeof networkLink>
type LinkEnd = Awaited<ReturnType<typeof selectLinkEnds>>[number]

/** Links from the network's hub; all unknown if it does not answer. */
export async function readLinks(
  ctx: Ctx,
  { hub, number, revision }: { readonly hub: HubName; readonly number: string; readonly revision: number },
  ends: readonly LinkEnd[],
): Promise<NetworkLink[]> {
  try {
    return toNetworkLinks((await ctx.hubs.network(hub).status(revision)).links, ends)
  } catch (error) {
    log('warn', 'network hub', { number, error: faultText(error) })
    const links = computeLinks(number, ends.map(toNode))
    return toNetworkLinks(
      links.map(({ id, client, server }) => ({
        id,
        router_name: client,
        center_router_name: server,
        state: 'unknown',
        since: null,
        reason: '实时状态暂不可用',
        rtt_ms: null,
      })),
      ends,
    )
  }
}

const toNode = ({ routerName, routerType, memberType }: LinkEnd) => ({
  routerName,
  routerType: routerType as 1 | 2,
  memberType,
})

/** Live states with notes and addresses of both ends; a hub may still name a member that has just left. */
export function toNetworkLinks(links: readonly LinkView[], ends: readonly LinkEnd[]): NetworkLink[] {
  const byName = new Map(ends.map((end) => [end.routerName, end]))
  return links.map((link) => {
    const [point, center] = [byName.get(link.router_name), byName.get(link.center_router_name)]
    const isUp = link.state === 'up'
    const segmentIndex = center?.segmentIndex ?? null
    return {
      ...link,
      router_name_note: point?.note ?? '',
      center_router_name_note: center?.note ?? '',
      vpn_ip: point && segmentIndex !== null ? hostAddress(centerSegments(segmentIndex).hardware, point.host) : '',
      vpn_online: toWireBoolean(isUp),
      vpn_online_time: isUp ? link.since : null,
    }
  })
}
