import { type Violation, violation } from '#contract/kernel/result.ts'
import { nextFreeSegment } from './free-segment.ts'
import { type LocatedSegment, NETWORK_OWNER, type OwnedSegment, locate } from './overlap.ts'
import { parseRange, toNetwork } from './segments.ts'

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
  around: readonly OwnedSegment[],
  preferred = '',
): Violation | null {
  const others = locate([
    ...around,
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
