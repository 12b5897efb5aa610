import { type Violation, violation } from '#contract/kernel/result.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { NamedNode } from './links.ts'
import { findMember, labelOf } from './member-name.ts'
import { nextFreePort, portsOfLink } from '../addresses/ports.ts'
import type { WantedLink } from '#contract/network/fields.ts'
import { DEFAULT_PORT, NETWORK, NETWORK_TYPE } from '#contract/network/limits.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Links that a person sets between members of one role: the twin-centre link (双中心点互通) and point links (点对点互联). */

type Node = Omit<NamedNode, 'routerType'> & { readonly note: string; readonly routerType: number }

export interface PointLink {
  readonly serverId: number
  readonly clientId: number
  /** Network number of the segment that both ends share. */
  readonly gateway: string
  readonly mask: number
  /** Chosen port; null: `port` was assigned. */
  readonly staticPort: number | null
  /** Port of the server end. */
  readonly port: number
  /** Assigned port of the client end; null for a link of an earlier release, whose server dials nobody. */
  readonly clientPort: number | null
}

export interface PlannedLink extends PointLink {
  readonly row: number
}

/** Centres have links to all points already; software dials by choice. */
export const canLink = ({ memberType, routerType }: Pick<Node, 'memberType' | 'routerType'>): boolean =>
  memberType === 'point' && routerType === ROUTER_TYPE.hardware

export const endsAt = ({ serverId, clientId }: Pick<PointLink, 'serverId' | 'clientId'>, id: number): boolean =>
  serverId === id || clientId === id

/** A link without a port of its client end equals its successor with one, so that it stays until another change. */
export const isSameLink = (a: PointLink, b: PointLink): boolean =>
  (['serverId', 'clientId', 'gateway', 'mask', 'staticPort', 'port'] as const).every((key) => a[key] === b[key]) &&
  (a.clientPort === b.clientPort || a.clientPort === null || b.clientPort === null)

/** Point links connect hardware points. Centres have links to all points already. */
export function checkPeers(
  self: Node,
  wanted: readonly WantedLink[],
  members: readonly Node[],
  stored: readonly PointLink[],
): Violation | null {
  if (wanted.length > 0 && !canLink(self)) return violation('POINT_LINK_PEER', { name: labelOf(self) }, 'router_name')
  for (const [row, { router_name: name }] of wanted.entries()) {
    const field = `link_config.${row}.router_name`
    const peer = findMember(members, name)
    if (!peer || peer === self || !canLink(peer))
      return violation('POINT_LINK_PEER', { name: peer ? labelOf(peer) : name }, field)
    const others = stored.filter((link) => endsAt(link, peer.routerId) && !endsAt(link, self.routerId))
    if (others.length >= NETWORK.pointLinksMax)
      return violation('POINT_LINK_LIMIT', { name: labelOf(peer), limit: NETWORK.pointLinksMax }, field)
  }
  return null
}

/**
 * Plans all links of one member. An existing link keeps its server; in a new one this member is the server. Without a
 * chosen port an end keeps its old port, or gets its next free one. The client end has no chosen port.
 * @param used ports in use by device, without those of this member's own links.
 */
export function planLinks(
  self: Node,
  wanted: readonly WantedLink[],
  members: readonly Node[],
  stored: readonly PointLink[],
  used: readonly { readonly routerId: number; readonly port: number }[],
): { links: readonly PlannedLink[]; refused: Violation | null } {
  const taken = [...used]
  const links: PlannedLink[] = []
  const isChosen = ([, { static_port }]: readonly [number, WantedLink]) => static_port !== null
  const rows = [...wanted.entries()]
  const byChoice = [...rows.filter(isChosen), ...rows.filter((row) => !isChosen(row))] // assigned ports avoid chosen ones
  for (const [row, { router_name: name, gateway, mask, static_port: staticPort }] of byChoice) {
    const peerId = findMember(members, name)?.routerId ?? 0
    const old = stored.find((link) => endsAt(link, self.routerId) && endsAt(link, peerId))
    const serverId = old?.serverId ?? self.routerId
    const clientId = old?.clientId ?? peerId
    const port = staticPort ?? keptOrFree(serverId, old?.staticPort === null ? old.port : null, taken)
    const clientPort = keptOrFree(clientId, old?.clientPort ?? null, taken)
    if (port === null || clientPort === null)
      return { links, refused: violation('PORTS_USED_UP', {}, `link_config.${row}.static_port`) }
    const link = { row, serverId, clientId, gateway, mask, staticPort, port, clientPort }
    taken.push(...portsOfLink(link))
    links.push(link)
  }
  return { links, refused: null }
}

/** Port of an end: the one that it had, unless it is taken, or the next free one; null if none is left. */
function keptOrFree(
  routerId: number,
  kept: number | null,
  taken: readonly { readonly routerId: number; readonly port: number }[],
): number | null {
  const onDevice = taken.filter((one) => one.routerId === routerId)
  const isFree = kept !== null && onDevice.every(({ port }) => port !== kept)
  return isFree ? kept : nextFreePort(DEFAULT_PORT.pointLinkFirst, onDevice)
}

type CenterLink = NetworkSettings['center_link']
type Center = Pick<Node, 'routerId' | 'memberType'>

/** The twin-centre link is offered to networks with exactly two centres that are no point-to-point networks. */
export const isCenterLinkShown = (networkType: number, members: readonly Pick<Node, 'memberType'>[]): boolean =>
  networkType !== NETWORK_TYPE.pointToPoint && members.filter((m) => m.memberType === 'center').length === 2

/** True if the change only turns the link off, which every network allows. */
export const isTurnedOff = (old: CenterLink, next: CenterLink): boolean =>
  next.enable === 0 && isSameJson({ ...old, enable: 0 }, { ...next, enable: 0 })

/** Checks a new twin-centre link. Its segment may be chosen before the link is enabled. */
export function checkCenterLink(
  networkType: number,
  members: readonly Center[],
  old: CenterLink,
  next: CenterLink,
): Violation | null {
  if (isTurnedOff(old, next)) return null
  if (!isCenterLinkShown(networkType, members)) return violation('CENTER_LINK_NEEDS_TWO')
  if (next.enable === 0) return null
  const isReachable = next.gateway !== '' || next.ports.public_ip !== null
  const isCenter = members.some((m) => m.memberType === 'center' && m.routerId === next.server)
  return isReachable && isCenter ? null : violation('CENTER_LINK_UNSET')
}
