import type { AttentionRow } from '#contract/kernel/health.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { type AttentionMember, isAway, isHardware } from './attention-facts.ts'
import { isPresent } from './member.ts'
import { siteOf } from './site.ts'
import type { StepFacts } from './steps.ts'

/* Evidence about a row that needs attention: its devices, their neighbours behind one address, faulty links. */

type Target = AttentionRow['target']

/** Devices behind a row: the object, both ends of a link, the centres of a network, or all absent devices. */
export function devicesBehind(
  { type, network_number, router_name, center_router_name }: Target,
  members: readonly AttentionMember[],
): readonly AttentionMember[] {
  if (type === 'members') return members.filter(isAway)
  if (type === 'network')
    return members.filter(({ networks }) =>
      networks.some(({ number, memberType }) => number === network_number && memberType === 'center'),
    )
  const names = [router_name, center_router_name]
  return members.filter((member) => names.includes(member.routerName))
}

export interface Site {
  readonly address: string
  readonly devices: number
  readonly offline: number
}

/** Devices behind the public address of this one, itself among them; null if the address is unknown or it is alone. */
export function findSite(member: AttentionMember | undefined, members: readonly AttentionMember[]): Site | null {
  const address = member && isHardware(member) ? siteOf(member.remoteHost) : null
  if (address === null) return null
  const near = members.filter((one) => isHardware(one) && siteOf(one.remoteHost) === address)
  return near.length < 2 ? null : { address, devices: near.length, offline: near.filter(isAway).length }
}

/** Faulty links of the object, or the link itself, the newest fault first. */
export function listFaultyLinks({ center_router_name }: Target, links: readonly LinkView[]): readonly LinkView[] {
  const isNamed = (link: LinkView) =>
    center_router_name === null || [link.router_name, link.center_router_name].includes(center_router_name)
  return links
    .filter((link) => link.state !== 'up' && link.state !== 'never' && isNamed(link))
    .toSorted((a, b) => (b.since ?? 0) - (a.since ?? 0))
}

/** Present device whose tunnels may be restarted against a fault of its links; null if none would help. */
export function findRestart(
  { target: { type, network_number, router_name }, kind }: Pick<AttentionRow, 'target' | 'kind'>,
  members: readonly AttentionMember[],
) {
  const member = members.find(({ routerName }) => routerName === router_name)
  const number = network_number ?? member?.networks[0]?.number
  const isFault = (type === 'link' && kind !== 'single_center') || kind === 'suspected'
  if (!isFault || member === undefined || number === undefined) return null
  return isHardware(member) && isPresent(member.presence.state)
    ? { network_number: number, router_name: member.routerName }
    : null
}

export function toStepFacts(
  site: Site | null,
  [first]: readonly LinkView[],
  devices: readonly AttentionMember[],
  labelOf: (name: string) => string,
): StepFacts {
  const ends = first && [
    { name: first.router_name, receives: first.client_up },
    { name: first.center_router_name, receives: first.server_up },
  ]
  const [lost, ...others] = ends?.filter(({ receives }) => receives === false) ?? []
  const other = others.length === 0 && lost && ends?.find((end) => end !== lost)
  return {
    // The object itself counts as away, also while it is only suspected.
    site: site && { others: site.devices - 1, away: Math.max(0, site.offline - devices.filter(isAway).length) },
    silent: lost && other ? { end: labelOf(lost.name), other: labelOf(other.name) } : null,
    isAway: devices.some(isAway),
  }
}
