import type { LinkView } from '#contract/kernel/protocol.ts'
import { FAULTY_LINKS } from '#domain/health/link.ts'
import { isPresent } from '#domain/health/member.ts'
import type { Affected } from '#domain/health/network.ts'
import type { Link, Member } from '../live-network.ts'
import { groupByCenter, indexLinks, type LinksByMember, type PortPath, toPortPaths } from './layout/ports.ts'

/* Live data of the topology by name, from which nodes and lines get their styles. */

export interface DrawingData {
  readonly membersByName: ReadonlyMap<string, Member>
  readonly linksByMember: LinksByMember
  readonly linksByCenter: ReadonlyMap<string, readonly LinkView[]>
  /** Paths of a point in the order of its ports. */
  readonly paths: readonly PortPath[]
  readonly affected: Affected
  /** Members in 单中心 (single centre) by a path of their own; an absent or suspected centre explains the others. */
  readonly ringed: ReadonlySet<string>
  /** Addresses of the links between points, for a member without an address of its own. */
  readonly pairAddresses: ReadonlyMap<string, readonly string[]>
  readonly isStale: boolean
}

interface DrawingInput {
  readonly members: readonly Member[]
  readonly links: readonly Link[]
  /** Names of the centres in the order of the drawing. */
  readonly centers: readonly string[]
  readonly affected: Affected
  readonly isStale: boolean
}

export function createDrawingData({ members, links, centers, affected, isStale }: DrawingInput): DrawingData {
  const linksByMember = indexLinks(links)
  const membersByName = new Map(members.map((member) => [member.router_name, member]))
  /** A faulty link to a centre that is not suspected, or one to a centre that was switched off: no other node says it. */
  const isOwnFault = ({ state, kind, center_router_name: center }: LinkView) =>
    kind === undefined &&
    (FAULTY_LINKS.has(state)
      ? !affected.suspected.has(center)
      : membersByName.get(center)?.presence.state === 'disabled' && state !== 'never')
  const hasFault = (name: string) => [...(linksByMember.get(name)?.values() ?? [])].some(isOwnFault)
  return {
    membersByName,
    linksByMember,
    linksByCenter: groupByCenter(links),
    paths: toPortPaths(links, centers),
    affected,
    ringed: new Set([...affected.singleCenter].filter(hasFault)),
    pairAddresses: indexPairAddresses(links),
    isStale,
  }
}

function indexPairAddresses(links: readonly Link[]): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, string[]>()
  const add = (name: string, address: string) => {
    const own = addresses.get(name) ?? []
    if (address !== '' && !own.includes(address)) addresses.set(name, [...own, address])
  }
  for (const { kind, router_name, center_router_name, vpn_ip, center_vpn_ip } of links) {
    if (kind !== 'point') continue
    add(router_name, vpn_ip)
    add(center_router_name, center_vpn_ip)
  }
  return addresses
}

/** True for a point whose node says that it is away: no line leads to it. */
export function isPointAway({ membersByName }: Pick<DrawingData, 'membersByName'>, name: string): boolean {
  const member = membersByName.get(name)
  if (member?.member_type !== 'point') return false
  return !isPresent(member.presence.state) && member.presence.state !== 'unreadable'
}

/** True for a centre that explains the unknown links of its points. */
export const isCenterAway = ({ membersByName }: Pick<DrawingData, 'membersByName'>, name: string): boolean => {
  const member = membersByName.get(name)
  return member?.member_type === 'center' && member.presence.state === 'offline'
}
