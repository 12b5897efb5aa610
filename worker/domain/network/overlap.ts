import { type Violation, violation } from '../../contract/errors.ts'
import { type Range, parseRange } from './segments.ts'

/**
 * Where a segment counts. A router has one routing table: what members announce in this network (`inner`) meets there the
 * router's own WAN subnets (`wan`) and what it learns in its other networks (`outer`). Two WAN subnets may be equal, and
 * what two other networks announce is not this one's concern.
 */
export type SegmentKind = 'inner' | 'wan' | 'outer'
const OPPONENTS: Readonly<Record<SegmentKind, readonly SegmentKind[]>> = {
  inner: ['inner', 'wan', 'outer'],
  wan: ['inner'],
  outer: ['inner'],
}

/** A segment and the member that owns it. */
export interface OwnedSegment {
  readonly routerName: string
  /** Display name of the owner: its note, or its name. */
  readonly label: string
  readonly segment: string
  readonly kind: SegmentKind
  /** The caller's role does not cover the owner: neither its name nor its segment may be shown. */
  readonly isHidden?: boolean
}

/** Two members' segments that share addresses, with the display names of their owners. */
export interface Overlap {
  readonly a: string
  readonly segment_a: string
  readonly b: string
  /** Empty where the caller may not see the owner. */
  readonly segment_b: string
}

export const HIDDEN_OWNER = '您无权查看的组网中的成员'

/** IP segments of members must differ (network 2). */
export function checkSegments(segments: readonly OwnedSegment[]): Violation | null {
  const overlap = findOverlap(segments)
  if (!overlap) return null
  return violation(overlap.segment_b === '' ? 'SEGMENT_CONFLICT_HIDDEN' : 'SEGMENT_CONFLICT', { ...overlap })
}

type Located = OwnedSegment & Range

/**
 * The first overlap; two segments of the same owner may overlap. One sweep is enough, because CIDR segments are nested or
 * disjoint: those that reach to the next one form a stack.
 */
export function findOverlap(segments: readonly OwnedSegment[]): Overlap | null {
  const known = segments
    .flatMap((s): Located[] => {
      const range = parseRange(s.segment)
      return range ? [{ ...s, ...range }] : []
    })
    .toSorted((a, b) => a.first - b.first || b.last - a.last)
  const open: Record<SegmentKind, Located[]> = { inner: [], wan: [], outer: [] }
  for (const next of known) {
    for (const stack of Object.values(open)) while ((stack.at(-1)?.last ?? Infinity) < next.first) stack.pop()
    for (const kind of OPPONENTS[next.kind]) {
      const found = open[kind].findLast(({ routerName }) => routerName !== next.routerName)
      if (found) return toOverlap(found, next)
    }
    open[next.kind].push(next)
  }
  return null
}

/** Who may not be shown comes second; the other one is a member of this network. */
function toOverlap(one: OwnedSegment, other: OwnedSegment): Overlap {
  const [a, b] = one.isHidden ? [other, one] : [one, other]
  const shown = b.isHidden ? { b: HIDDEN_OWNER, segment_b: '' } : { b: b.label, segment_b: b.segment }
  return { a: a.label, segment_a: a.segment, ...shown }
}
