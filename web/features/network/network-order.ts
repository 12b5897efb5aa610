import type { LinkState } from '#contract/kernel/protocol.ts'
import { isPresent } from '#domain/health/member.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { RowOrders } from '#ui/table/pager/use-client-page.ts'
import type { Link, Member } from './live-network.ts'

/* Sort orders of members and links of a network; links by member; VPN addresses of a member. */

/** Compares names with numbers by value: 门店 2 (shop 2) before 门店 10. */
export const byLabel = new Intl.Collator('zh-CN', { numeric: true })

/** Sorts members: abnormal ones first, then centres, then by name. */
export function sortMembers(members: readonly Member[], abnormal: ReadonlySet<string>): readonly Member[] {
  const rank = ({ router_name, member_type }: Member) =>
    (abnormal.has(router_name) ? 0 : 2) + (member_type === 'center' ? 0 : 1)
  return members.toSorted((a, b) => rank(a) - rank(b) || byLabel.compare(memberLabel(a), memberLabel(b)))
}

const LINK_ORDER: readonly LinkState[] = ['down', 'one_sided', 'unknown', 'up', 'never']

/** Sorts links: broken ones first, then by the names of both ends. */
export function sortLinks(links: readonly Link[], toName: (routerName: string) => string): readonly Link[] {
  const named = links.map((link) => ({
    link,
    rank: LINK_ORDER.indexOf(link.state),
    name: `${toName(link.router_name)} ${toName(link.center_router_name)}`,
  }))
  return named.toSorted((a, b) => a.rank - b.rank || byLabel.compare(a.name, b.name)).map(({ link }) => link)
}

/** Sort keys of members and links; `worst` keeps the given order. */
export const VIEW_SORTS = ['worst', 'name', 'center', 'seen', 'rtt'] as const
export type ViewSort = (typeof VIEW_SORTS)[number]

export const MEMBER_ORDERS: RowOrders<Member, ViewSort> = {
  name: (a, b) => byLabel.compare(memberLabel(a), memberLabel(b)),
  seen: (a, b) => lastSeen(a) - lastSeen(b),
}

const lastSeen = ({ presence: { state, last_seen } }: Member): number =>
  isPresent(state) ? Number.MAX_SAFE_INTEGER : (last_seen ?? 0)

export const linkOrders = (toName: (routerName: string) => string): RowOrders<Link, ViewSort> => ({
  name: (a, b) => byLabel.compare(toName(a.router_name), toName(b.router_name)),
  center: (a, b) => byLabel.compare(toName(a.center_router_name), toName(b.center_router_name)),
  rtt: (a, b) => (a.rtt_ms ?? Number.MAX_SAFE_INTEGER) - (b.rtt_ms ?? Number.MAX_SAFE_INTEGER),
})

export function groupLinks(links: readonly Link[]): ReadonlyMap<string, readonly Link[]> {
  const grouped = new Map<string, Link[]>()
  for (const link of links)
    for (const name of [link.router_name, link.center_router_name]) {
      const known = grouped.get(name)
      if (known) known.push(link)
      else grouped.set(name, [link])
    }
  return grouped
}

/** VPN address with the name of the centre that owns its segment; empty for a centre's own address. */
export interface VpnAddress {
  readonly ip: string
  readonly center: string
}

export function vpnAddresses(member: Member, own: readonly Link[], toName: (name: string) => string): VpnAddress[] {
  const centers = new Map(
    own
      .filter(({ router_name, vpn_ip }) => router_name === member.router_name && vpn_ip !== '')
      .map(({ vpn_ip, center_router_name }) => [vpn_ip, toName(center_router_name)]),
  )
  return member.vpn_ip.map((ip) => ({ ip, center: centers.get(ip) ?? '' }))
}
