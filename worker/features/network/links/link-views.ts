import type { z } from 'zod'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { type LinkRows, linkAddresses, placesAt, popAddresses } from '#domain/network/addresses/link-addresses.ts'
import { type PopLinks, allLinks, kindOnWire } from '#domain/network/members/links.ts'
import { isWithdrawn } from '#domain/network/members/membership.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import type { networkLink } from '#contract/network/views.ts'
import type { Ctx } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import type { selectNetworkNodes } from '#features/network-fr/sql/nodes.ts'
import type { selectLinkEnds } from '../sql/networks.ts'

type NetworkLink = z.infer<typeof networkLink>
type LinkEnd = Awaited<ReturnType<typeof selectLinkEnds>>[number]

/** Rows that determine a network's links and their addresses, besides the roles of its members. */
export interface NetworkLinkRows extends LinkRows {
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
  members: Parameters<typeof evaluateNetwork>[0],
  rows: NetworkLinkRows,
): Promise<{ link: NetworkLink[]; health: NetworkHealth }> {
  const { hub, number, revision } = network
  try {
    const { links, health } = await ctx.hubs.network(hub).status(revision)
    return { link: toNetworkLinks(links, ends, rows), health }
  } catch (error) {
    log('warn', 'network hub', { number, error: faultText(error) })
    const hasPlace = placesAt(ends, rows.pop.nodes, { ip_pool: rows.ipPool })
    const settings = { ...rows, pop: { ...rows.pop, hasPlace } }
    const links = allLinks(number, isWithdrawn(network) ? [] : ends.map(toNode), settings).map(
      ({ id, client, server, kind }): LinkView => ({
        id,
        router_name: client,
        center_router_name: server,
        ...kindOnWire(kind),
        state: 'unknown',
        since: null,
        reason: SENTENCE.stateUnknown,
        rtt_ms: null,
        client_up: null,
        server_up: null,
      }),
    )
    return {
      link: toNetworkLinks(links, ends, rows),
      health: evaluateNetwork(members, [], { isWithdrawn: isWithdrawn(network) }).health,
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
export function toNetworkLinks(
  links: readonly LinkView[],
  ends: readonly LinkEnd[],
  rows: NetworkLinkRows,
): NetworkLink[] {
  const byName = new Map(ends.map((end) => [end.routerName, end]))
  return links.map((link) => {
    const [point, center] = [byName.get(link.router_name), byName.get(link.center_router_name)]
    const node = rows.pop.nodes.find(({ routerName }) => routerName === link.center_router_name)
    const addresses = toAddresses(link, { point, center, node }, rows)
    const isUp = link.state === 'up'
    return {
      ...link,
      router_name_note: point?.note ?? '',
      center_router_name_note: center?.note ?? node?.area ?? '',
      vpn_ip: addresses.client,
      center_vpn_ip: addresses.server,
      vpn_online: toWireBoolean(isUp),
      vpn_online_time: isUp ? link.since : null,
    }
  })
}

interface Ends {
  readonly point: LinkEnd | undefined
  readonly center: LinkEnd | undefined
  readonly node: PopNodeRow | undefined
}

function toAddresses({ kind }: LinkView, { point, center, node }: Ends, rows: NetworkLinkRows) {
  if (point && node) return popAddresses(point, node, { popNodes: rows.pop.nodes, settings: { ip_pool: rows.ipPool } })
  return point && center && kind !== 'pop' ? linkAddresses(kind, point, center, rows) : { client: '', server: '' }
}
