import { type Violation, violation } from '#contract/kernel/result.ts'
import type { MemberSettings } from '#contract/network/settings.ts'
import type { AddressedMember } from './addresses.ts'
import { maskOf } from '../compile/server-segments.ts'
import { type NodeHosts, NO_NODES, packHosts, hostRanges, checkCapacity } from './hosts.ts'
import { servedSegments } from './member-segments.ts'
import type { StoredMember } from '../members/membership.ts'
import { hostAddress, parseRange, segmentText } from './segments.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'
import { type MemberHost } from '../history/setting-change.ts'
import type { WantedSegment } from './wanted-segments.ts'

/* The two segments of a centre, one to a service: its `gateway` on the wire and among the settings. */

export const SERVICES = ['router', 'software'] as const
type Service = (typeof SERVICES)[number]
type Gateway = MemberSettings['gateway']
type Pool = MemberSettings['pool']

const SERVICE_NAME: Readonly<Record<Service, string>> = { router: '硬件网段', software: '软件网段' }

/** New addresses of a centre. Absent fields keep their value. */
export interface CenterAddresses {
  readonly gateway?: Partial<Gateway>
  readonly pool?: Partial<Pool>
}

/** A centre with these segments and pools. The pool of a segment that moves is gone with it, unless a new one comes along. */
export function withAddresses<T extends StoredMember>(center: T, { gateway, pool }: CenterAddresses): T {
  const before = servedSegments(center)
  const next = { ...center, gateway: { ...(center.gateway ?? DEFAULT_MEMBER_SETTINGS.gateway), ...gateway } }
  const after = servedSegments(next)
  const kept = Object.fromEntries(
    SERVICES.map((service) => [service, before[service] === after[service] ? (center.pool?.[service] ?? null) : null]),
  ) as Pool
  return { ...next, gateway: withoutDefaults(next), pool: { ...kept, ...pool } }
}

/** A default segment that was typed in is the default one. */
function withoutDefaults({ segmentIndex, gateway }: { segmentIndex: number | null; gateway: Gateway }): Gateway {
  const defaults = servedSegments({ segmentIndex, gateway: undefined })
  const keep = (service: Service) => {
    const chosen = gateway[service]
    return chosen && segmentText(chosen) === defaults[service] ? null : chosen
  }
  return { router: keep('router'), software: keep('software') }
}

/** The two segments of a centre, for checkWantedSegments; `fieldOf` names each on the wire. */
export function wantedCenterSegments(
  before: StoredMember,
  after: StoredMember,
  label: string,
  fieldOf: (service: Service) => string,
): readonly WantedSegment[] {
  const [old, next] = [servedSegments(before), servedSegments(after)]
  return SERVICES.map((service) => ({
    label: `${label}的${SERVICE_NAME[service]}`,
    segment: next[service],
    field: `${fieldOf(service)}.gateway`,
    isChanged: old[service] !== next[service],
  }))
}

/** A pool lies between the centre's own address and the broadcast address, its ends in order. */
export function checkPools(center: StoredMember, fieldOf: (service: Service) => string): Violation | null {
  const segments = servedSegments(center)
  for (const service of SERVICES) {
    const ends = center.pool?.[service]
    const range = parseRange(segments[service])
    if (!ends || range === null) continue
    const [first, last] = [2, range.last - range.first - 1]
    const hosts = [ends.start, ends.end].map((address) => (parseRange(`${address}/32`)?.first ?? -1) - range.first)
    const [start = -1, end = -1] = hosts
    if (first <= start && start <= end && end <= last) continue
    const bounds = { first: hostAddress(segments[service], first), last: hostAddress(segments[service], last) }
    return violation('POOL_OUTSIDE', bounds, `${fieldOf(service)}.start`)
  }
  return null
}

/** Hosts for the centres as they will be: none move unless the person has said so. */
export function fitHosts(
  members: readonly AddressedMember[],
  isPacked: boolean,
  field: string,
  nodes: NodeHosts = NO_NODES,
): { readonly hosts: readonly MemberHost[]; readonly refused: Violation | null } {
  const ranges = hostRanges(members)
  const refused = checkCapacity(ranges, members, field)
  const hosts = refused === null ? packHosts(members, ranges, nodes) : []
  if (hosts === null) return { hosts: [], refused: violation('SEGMENTS_USED_UP') }
  const points = new Set(members.filter((m) => m.memberType === 'point').map(({ routerId }) => routerId))
  const count = hosts.filter(({ routerId }) => points.has(routerId)).length // a centre's host shows once it is a point
  if (count > 0 && !isPacked) return { hosts: [], refused: refused ?? violation('HOSTS_OUTSIDE', { count }) }
  return { hosts, refused }
}

export const toGatewayField = (segment: string) => ({ gateway: segment.split('/')[0] ?? '', mask: maskOf(segment) })
