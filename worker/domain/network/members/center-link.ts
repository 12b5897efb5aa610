import { type Violation, violation } from '#contract/kernel/result.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import { isSameJson } from '#contract/kernel/same-json.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'

type CenterLink = NetworkSettings['center_link']
interface Node {
  readonly routerId: number
  readonly memberType: 'center' | 'point'
}

/** The twin-centre link is offered to networks with exactly two centres that are no point-to-point networks. */
export const isCenterLinkShown = (networkType: number, members: readonly Pick<Node, 'memberType'>[]): boolean =>
  networkType !== NETWORK_TYPE.pointToPoint && members.filter((m) => m.memberType === 'center').length === 2

/** Only turned off: allowed in every network. */
export const isTurnedOff = (old: CenterLink, next: CenterLink): boolean =>
  next.enable === 0 && isSameJson({ ...old, enable: 0 }, { ...next, enable: 0 })

/** Checks a new twin-centre link. Its segment may be chosen before the link is enabled. */
export function checkCenterLink(
  networkType: number,
  members: readonly Node[],
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
