import {
  MEMBER_SETTINGS,
  NETWORK_SETTINGS,
  type MemberSettings,
  type NetworkSegmentKind,
} from '#contract/network/settings.ts'
import { serviceSegments } from '../compile/service-segments.ts'
import { defaultNodeSegments, parsePopPool } from '../pop/pool.ts'
import { segmentText } from './segments.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'

/** Chosen addresses of a centre. Absent fields have their default. */
export interface ChosenAddresses {
  readonly gateway?: MemberSettings['gateway'] | undefined
  readonly pool?: MemberSettings['pool'] | undefined
}

/** A member as far as its segments go. */
export interface SegmentHolder extends Pick<ChosenAddresses, 'gateway'> {
  /** Segments behind the device, on its interfaces and behind next hops, `ip/mask`. */
  readonly lans: readonly string[]
  /** Subnet index of a centre; null for a point, and for a centre that has none yet. */
  readonly segmentIndex: number | null
}

/** Segments of a centre's services, chosen or by default. */
export const servedSegments = ({ segmentIndex, gateway }: Omit<SegmentHolder, 'lans'>) =>
  serviceSegments({ segmentIndex, settings: { gateway: gateway ?? DEFAULT_MEMBER_SETTINGS.gateway } })

/** Segments that a member brings into the routing tables of its network: those behind it, and those that a centre serves. */
export const segmentsOf = (member: SegmentHolder): readonly string[] => [
  ...member.lans,
  ...(member.segmentIndex === null ? [] : Object.values<string>(servedSegments(member))),
]

/** The setting `gateway` as a row has it; null where there is none. */
export const parseGateway = (json: string | null | undefined): MemberSettings['gateway'] | undefined =>
  json == null ? undefined : MEMBER_SETTINGS.gateway.parse(JSON.parse(json))

export const parsePool = (json: string | null | undefined): MemberSettings['pool'] | undefined =>
  json == null ? undefined : MEMBER_SETTINGS.pool.parse(JSON.parse(json))

/** LANs of a device with the segments behind next hops on them, as its rows have both. */
export const withStaticRoutes = (lans: readonly string[], staticRoutes: string): readonly string[] => [
  ...lans,
  ...(JSON.parse(staticRoutes) as { readonly prefix: string }[]).map(({ prefix }) => prefix),
]

/** A segment that a network holds beside those of its members, with what a refusal calls it. */
export interface NetworkSegment {
  readonly name: string
  readonly segment: string
}

/** Rows of one network that bring such segments: a setting as JSON, `point_link` with a list of segments, or `pop_node`. */
export interface NetworkSegmentRow {
  readonly kind: NetworkSegmentKind
  readonly value: string
}

export function networkSegments({ kind, value }: NetworkSegmentRow): readonly NetworkSegment[] {
  const json: unknown = JSON.parse(value)
  if (kind === 'pop_node') return defaultNodeSegments(parsePopPool(value))
  if (kind === 'point_link') return (json as string[]).map((segment) => ({ name: '点对点互联', segment }))
  if (kind === 'center_link') {
    const link = NETWORK_SETTINGS.center_link.parse(json)
    const segment = link.enable === 1 ? segmentText(link) : ''
    return segment === '' ? [] : [{ name: SETTING_TITLE.center_link, segment }]
  }
  const { pop, pop_software: software } = NETWORK_SETTINGS.ip_pool.parse(json)
  const toSegment = (name: string, chosen: typeof pop) => (chosen ? [{ name, segment: segmentText(chosen) }] : [])
  return [...toSegment('POP硬件网段', pop), ...toSegment('POP软件网段', software)]
}
