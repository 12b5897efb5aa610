import type { z } from 'zod'
import { toWireBoolean } from '../../contract/fields.ts'
import type { NetworkHealth } from '../../contract/health.ts'
import type { HubName } from '../../contract/hubs.ts'
import type { networkLink } from '../../contract/network-rows.ts'
import type { LinkView } from '../../contract/protocol.ts'
import { judgeNetwork } from '../../domain/health/network.ts'
import { type PopLinks, allLinks, kindOnWire } from '../../domain/network/links.ts'
import { isWithdrawn } from '../../domain/network/membership.ts'
import { hasHost } from '../../domain/network/compile/segments-of.ts'
import { parseGateway, servedSegments } from '../../domain/network/segments-of.ts'
import { hostAddress } from '../../domain/network/segments.ts'
import type { Ctx } from '../../http/context.ts'
import { faultText, log } from '../../http/log.ts'
import type { NetworkSettings } from '../../contract/network-settings.ts'
import type { PointLinkRow } from '../../domain/network/compile/rows.ts'
import type { selectNetworkNodes } from '../../db/pop-nodes.ts'
import { nodeSegments } from '../../domain/network/compile/pop-segments.ts'
import type { selectLinkEnds } from './queries.ts'

type NetworkLink = z.infer<typeof networkLink>
type LinkEnd = Awaited<ReturnType<typeof selectLinkEnds>>[number]

/** What makes links besides the roles of members, with their addresses. */
export interface LinkRows {
  readonly centerLink: NetworkSettings['center_link']
  readonly pointLinks: readonly Pick<PointLinkRow, 'serverId' | 'clientId' | 'gateway' | 'mask'>[]
  readonly pop: Pick<PopLinks, 'areasOf'> & { readonly nodes: readonly PopNodeRow[] }
  readonly ipPool: NetworkSettings['ip_pool']
}

/** A node of the operator with the name of its area. */
type PopNodeRow = Pick<
  Awaited<ReturnType<typeof selectNetworkNodes>>[number],
  'routerId' | 'routerName' | 'areaId' | 'segmentIndex' | 'area'
>

interface NetworkRow {
  readonly hub: HubName
  readonly number: string
  readonly revision: number
  readonly withdrawn: 0 | 1
}

/** Links and health from the network's hub; if it does not answer, links are unknown, and the rows alone decide. */
export async function readLive(
  ctx: Ctx,
  network: NetworkRow,
  ends: readonly LinkEnd[],
  members: Parameters<typeof judgeNetwork>[0],
  rows: LinkRows,
): Promise<{ link: NetworkLink[]; health: NetworkHealth }> {
  const { hub, number, revision } = network
  try {
    const { links, health } = await ctx.hubs.network(hub).status(revision)
    return { link: toNetworkLinks(links, ends, rows), health }
  } catch (error) {
    log('warn', 'network hub', { number, error: faultText(error) })
    const links = allLinks(number, isWithdrawn(network) ? [] : ends.map(toNode), rows).map(
      ({ id, client, server, kind }): LinkView => ({
        id,
        router_name: client,
        center_router_name: server,
        ...kindOnWire(kind),
        state: 'unknown',
        since: null,
        reason: '实时状态暂不可用',
        rtt_ms: null,
        client_up: null,
        server_up: null,
      }),
    )
    return {
      link: toNetworkLinks(links, ends, rows),
      health: judgeNetwork(members, [], { isWithdrawn: isWithdrawn(network) }).health,
    }
  }
}

const toNode = ({ routerId, routerName, routerType, memberType }: LinkEnd) => ({
  routerId,
  routerName,
  routerType: routerType as 1 | 2,
  memberType,
})

/** Live states with notes and addresses of both ends; a hub may still name a member that has just left. */
export function toNetworkLinks(links: readonly LinkView[], ends: readonly LinkEnd[], rows: LinkRows): NetworkLink[] {
  const byName = new Map(ends.map((end) => [end.routerName, end]))
  return links.map((link) => {
    const [point, center] = [byName.get(link.router_name), byName.get(link.center_router_name)]
    const isUp = link.state === 'up'
    return {
      ...link,
      router_name_note: point?.note ?? '',
      center_router_name_note: center?.note ?? nodeOf(link, rows)?.area ?? '',
      vpn_ip: point && center ? clientAddress(link, point, center, rows) : point ? popAddress(link, point, rows) : '',
      vpn_online: toWireBoolean(isUp),
      vpn_online_time: isUp ? link.since : null,
    }
  })
}

const nodeOf = ({ center_router_name: name }: LinkView, { pop }: LinkRows) =>
  pop.nodes.find(({ routerName }) => routerName === name)

/** The address of a member in the segment of the node that it dials. */
function popAddress(link: LinkView, client: LinkEnd, rows: LinkRows): string {
  const node = nodeOf(link, rows)
  if (!node) return ''
  const { router } = nodeSegments({ popNodes: rows.pop.nodes, settings: { ip_pool: rows.ipPool } }, node)
  return hasHost(router, client.host) ? hostAddress(router, client.host) : ''
}

/** The address of the link's client: in the centre's segment, or in that of the link. */
function clientAddress(
  { kind }: LinkView,
  client: LinkEnd,
  server: LinkEnd,
  { centerLink, pointLinks }: LinkRows,
): string {
  if (kind === 'center' && centerLink.gateway !== '') return hostAddress(`${centerLink.gateway}/${centerLink.mask}`, 2)
  if (kind === 'center') return hostIn(client, 1)
  if (kind === undefined) return hostIn(server, client.host)
  const row = pointLinks.find((link) => link.serverId === server.routerId && link.clientId === client.routerId)
  return row ? hostAddress(`${row.gateway}/${row.mask}`, 2) : ''
}

/** An address in the hardware segment of a centre; empty for who is none. */
function hostIn(center: LinkEnd, host: number): string {
  const [segment] = servedSegments({ ...center, gateway: parseGateway(center.gateway) })
  return segment === undefined ? '' : hostAddress(segment, host)
}
