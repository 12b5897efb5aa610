import { type Violation, violation } from '#contract/kernel/result.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { NetworkSettings, MemberSettings } from '#contract/network/settings.ts'
import { maskOf } from '../compile/server-segments.ts'
import type { MemberHost } from '../history/setting-change.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'
import type { StoredMember } from '../members/membership.ts'
import { defaultNodeSegments } from '../pop/pool.ts'
import type { AddressedMember } from './addresses.ts'
import { type NodeHosts, NO_NODES, packHosts, hostRanges, checkRoom } from './hosts.ts'
import { servedSegments } from './member-segments.ts'
import { type LocatedSegment, NETWORK_OWNER, type OwnedSegment, locate } from './overlap.ts'
import { parseRange, toNetwork, segmentText, nextFreeSegment, hostAddress } from './segments.ts'

/*
 * Segments and pools that a person chooses for a network and its centres: segments may not overlap, pools lie in their
 * segment. A changed segment gives the members new hosts.
 */

/** A segment that a person chooses, or an unchanged one beside it. */
export interface WantedSegment {
  /** Name of the segment in refusals. */
  readonly label: string
  readonly segment: string
  /** Its field on the wire: router_network.gateway. */
  readonly field: string
  /** Unchanged segments are not checked: others may have come to overlap them since. */
  readonly isChanged: boolean
}

/**
 * Chosen segments may not overlap each other or existing ones in the same routing tables. The refusal names the owner and
 * the next free segment of the same size, if possible in the preferred range.
 */
export function checkWantedSegments(
  wanted: readonly WantedSegment[],
  existing: readonly OwnedSegment[],
  preferred = '',
): Violation | null {
  const others = locate([
    ...existing,
    ...wanted.map(({ label, segment, field }) => ({
      routerName: ownerOf(field),
      label,
      segment,
      kind: 'inner' as const,
    })),
  ])
  for (const one of wanted.filter(({ isChanged }) => isChanged)) {
    const strangers = others.filter(({ routerName }) => routerName !== ownerOf(one.field))
    const found = strangers.find((other) => isShared(one.segment, other))
    if (found) return taken(one, found, strangers, preferred)
  }
  return null
}

const ownerOf = (field: string): string => `${NETWORK_OWNER}${field}`

function isShared(segment: string, other: LocatedSegment): boolean {
  const range = parseRange(segment)
  return range !== null && range.first <= other.last && other.first <= range.last
}

function taken(
  { segment, field }: WantedSegment,
  found: OwnedSegment,
  strangers: readonly OwnedSegment[],
  preferred: string,
): Violation {
  const free = nextFreeSegment(
    segment,
    strangers.map((other) => other.segment),
    preferred,
  )
  if (free === null) return violation('SEGMENT_NONE_FREE', { segment }, field)
  if (found.isHidden) return violation('SEGMENT_TAKEN_HIDDEN', { segment, free }, field)
  const params = { segment, owner: found.label, other: toNetwork(found.segment), free }
  return violation('SEGMENT_TAKEN', params, field)
}

/** Address settings stored on the network. Centres have their own. */
export type AddressPlan = Pick<NetworkSettings, 'ip_pool' | 'center_link'>

/** Only the network's own segments may lie in its range. */
export const wantedRange = (before: AddressPlan, { ip_pool: pool }: AddressPlan): readonly WantedSegment[] =>
  pool.gateway === ''
    ? []
    : [
        {
          label: '组网地址范围',
          segment: segmentText(pool),
          field: 'gateway',
          isChanged: segmentText(pool) !== segmentText(before.ip_pool),
        },
      ]

/** Segments that the network itself holds between members, those of POP nodes included. */
export function wantedNetworkSegments(
  before: AddressPlan,
  { ip_pool: pool, center_link: link }: AddressPlan,
  indexes: readonly number[],
): readonly WantedSegment[] {
  const interlink = ({ gateway, mask, enable }: AddressPlan['center_link']) =>
    gateway === '' || enable === 0 ? null : { gateway, mask }
  const rows = [
    ['POP硬件网段', 'pop', before.ip_pool.pop, pool.pop],
    ['POP软件网段', 'pop_software', before.ip_pool.pop_software, pool.pop_software],
    [SETTING_TITLE.center_link, 'center_link_network', interlink(before.center_link), interlink(link)],
  ] as const
  const chosen = rows.flatMap(([label, field, old, next]) =>
    next ? [{ label, segment: segmentText(next), field: `${field}.gateway`, isChanged: !isSameJson(old, next) }] : [],
  )
  const held = new Set(defaultNodeSegments({ indexes, ipPool: before.ip_pool }).map(({ segment }) => segment))
  const defaults = defaultNodeSegments({ indexes, ipPool: pool }).map(({ name: label, field, segment }) => {
    return { label, segment, field: `${field}.gateway`, isChanged: !held.has(segment) }
  })
  return [...chosen, ...defaults]
}

/* Services of a centre. Each has its own segment: its `gateway` on the wire and among the settings. */

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

/** A centre with these segments and pools. The pool of a segment that moves is dropped unless a new one is given. */
export function withAddresses<T extends StoredMember>(center: T, { gateway, pool }: CenterAddresses): T {
  const before = servedSegments(center)
  const next = { ...center, gateway: { ...(center.gateway ?? DEFAULT_MEMBER_SETTINGS.gateway), ...gateway } }
  const after = servedSegments(next)
  const kept = Object.fromEntries(
    SERVICES.map((service) => [service, before[service] === after[service] ? (center.pool?.[service] ?? null) : null]),
  ) as Pool
  return { ...next, gateway: withoutDefaults(next), pool: { ...kept, ...pool } }
}

/** Stores a typed default segment as the default. */
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

/** New hosts for changed segments of centres. Hosts of points move only if the person agreed (`isPacked`). */
export function fitHosts(
  members: readonly AddressedMember[],
  isPacked: boolean,
  field: string,
  nodes: NodeHosts = NO_NODES,
): { readonly hosts: readonly MemberHost[]; readonly refused: Violation | null } {
  const ranges = hostRanges(members)
  const refused = checkRoom(members, field)
  const hosts = refused === null ? packHosts(members, ranges, nodes) : []
  if (hosts === null) return { hosts: [], refused: violation('SEGMENTS_USED_UP') }
  const points = new Set(members.filter((m) => m.memberType === 'point').map(({ routerId }) => routerId))
  const count = hosts.filter(({ routerId }) => points.has(routerId)).length // a centre's host shows once it is a point
  if (count > 0 && !isPacked) return { hosts: [], refused: refused ?? violation('HOSTS_OUTSIDE', { count }) }
  return { hosts, refused }
}

export const toGatewayField = (segment: string) => ({ gateway: segment.split('/')[0] ?? '', mask: maskOf(segment) })
