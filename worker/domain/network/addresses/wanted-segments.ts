import { type Violation, violation } from '#contract/kernel/result.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import { SETTING_TITLE } from '../history/setting-words.ts'
import { defaultNodeSegments } from '../pop/pool.ts'
import { type LocatedSegment, NETWORK_OWNER, type OwnedSegment, locate } from './overlap.ts'
import { parseRange, toNetwork, segmentText, nextFreeSegment } from './segments.ts'

/* Segments that a person chooses for a network, checked against one another and those in use. */

/** A segment that a person chooses, or keeps beside what is chosen. */
export interface WantedSegment {
  /** Purpose of the segment, as the refusal of another one names it. */
  readonly label: string
  readonly segment: string
  /** Its number on the wire: router_network.gateway. */
  readonly field: string
  /** Unchanged segments are not checked: others may have come to overlap them since. */
  readonly isChanged: boolean
}

/**
 * Chosen segments overlap neither one another nor what meets them in routing tables. The refusal names the owner and the
 * next free segment of the same size, in the preferred range where that has one.
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

/** Address settings stored on the network. Centres have their own: center-segments.ts. */
export type AddressPlan = Pick<NetworkSettings, 'ip_pool' | 'center_link'>

/** The network's own segments may lie in its range, nobody else's. */
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

/** Segments between members that the network holds, those of POP nodes included. */
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
