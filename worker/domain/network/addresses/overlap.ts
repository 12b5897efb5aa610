import type * as z from 'zod'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { overlap } from '#contract/network/networks.ts'
import { type Range, parseRange, toNetwork } from './segments.ts'

/* Finds overlapping IP segments (网段重叠) in the routing tables of a network's members. */

/**
 * Origin of a segment in a routing table: this network (`inner`), the router's WANs (`wan`), its other networks (`outer`).
 * `inner` conflicts with every kind, `wan` and `outer` with `inner` alone: two WANs may be equal.
 */
export type SegmentKind = 'inner' | 'wan' | 'outer'
const OPPONENTS: Readonly<Record<SegmentKind, readonly SegmentKind[]>> = {
  inner: ['inner', 'wan', 'outer'],
  wan: ['inner'],
  outer: ['inner'],
}

/** Prefix of owner names for the network's own segments. No router's name begins with it. */
export const NETWORK_OWNER = ':'

export interface OwnedSegment {
  readonly routerName: string
  /** Display name of the owner: its note, or its name. */
  readonly label: string
  readonly segment: string
  readonly kind: SegmentKind
  /** The caller's role does not cover the owner: neither its name nor its segment may be shown. */
  readonly isHidden?: boolean
}

export type LocatedOverlap = Readonly<z.infer<typeof overlap>>
export type Overlap = Omit<LocatedOverlap, 'routers'>

export const HIDDEN_OWNER = '您无权查看的组网中的成员'

/** Two segments of different owners that conflict. */
export type OverlapPair = readonly [OwnedSegment, OwnedSegment]

/** IP segments of members must differ (network 2). Pairs without a counted segment are ignored. */
export function checkSegments(
  segments: readonly OwnedSegment[],
  isCounted: (segment: OwnedSegment) => boolean = () => true,
): Violation | null {
  for (const pair of overlapPairs(locate(segments), isCounted)) return toViolation(pair)
  return null
}

/** Enough overlaps to name each overlapping segment; at most `HEALTH.overlapsMax`. */
export function findOverlaps(segments: readonly OwnedSegment[]): readonly LocatedOverlap[] {
  const found = new Map<string, LocatedOverlap>()
  for (const pair of overlapPairs(locate(segments))) {
    if (found.size === HEALTH.overlapsMax) break
    const shown = hiddenLast(pair).filter((one) => !one.isHidden && !one.routerName.startsWith(NETWORK_OWNER))
    const overlap = { ...toOverlap(pair), routers: shown.map(({ routerName }) => routerName) }
    found.set(overlapKey(overlap), overlap)
  }
  return [...found.values()]
}

/** Key of an overlap, independent of the order of its owners. */
export const overlapKey = ({ a, segment_a, b, segment_b }: Overlap): string =>
  [`${a} ${segment_a}`, `${b} ${segment_b}`].toSorted().join(' ')

function toViolation(pair: OverlapPair): Violation {
  const overlap = toOverlap(pair)
  return violation(overlap.segment_b === '' ? 'SEGMENT_CONFLICT_HIDDEN' : 'SEGMENT_CONFLICT', { ...overlap })
}

export type LocatedSegment = OwnedSegment & Range

/** Drops texts that are not IPv4 segments. */
export const locate = (segments: readonly OwnedSegment[]): LocatedSegment[] =>
  segments.flatMap((segment) => {
    const range = parseRange(segment.segment)
    return range ? [{ ...segment, ...range }] : []
  })

/** True when segments of two owners share addresses and their kinds conflict. */
export const isOverlap = (one: LocatedSegment, other: LocatedSegment): boolean =>
  one.routerName !== other.routerName &&
  OPPONENTS[one.kind].includes(other.kind) &&
  one.first <= other.last &&
  other.first <= one.last

/** Segments that are open at the present place of the sweep. The last one ends first. */
interface OpenSegments {
  readonly kind: SegmentKind
  readonly isCounted: boolean
  all: LocatedSegment[]
  /** Segments that no pair names yet. */
  waiting: LocatedSegment[]
}

/**
 * Overlaps with a counted segment. Yields at most as many pairs as segments, which together name each overlapping segment;
 * all pairs would be quadratic. One sweep is enough, because CIDR segments are nested or disjoint.
 */
export function* overlapPairs(
  segments: readonly LocatedSegment[],
  isCounted: (segment: OwnedSegment) => boolean = () => true,
): Generator<OverlapPair> {
  const groups = (['inner', 'wan', 'outer'] as const).flatMap((kind) =>
    [true, false].map((counted): OpenSegments => ({ kind, isCounted: counted, all: [], waiting: [] })),
  )
  for (const next of segments.toSorted((a, b) => a.first - b.first || b.last - a.last)) {
    for (const group of groups) closeBefore(group, next.first)
    const counted = isCounted(next)
    const isOther = ({ routerName }: LocatedSegment) => routerName !== next.routerName
    const opponents = groups.filter((g) => (counted || g.isCounted) && OPPONENTS[next.kind].includes(g.kind))
    const found = opponents.flatMap(({ waiting }) => waiting.filter(isOther))
    if (found.length === 0) found.push(...opponents.flatMap(({ all }) => all.find(isOther) ?? []).slice(0, 1))
    for (const one of found) yield [one, next]
    for (const group of opponents) group.waiting = group.waiting.filter((one) => !isOther(one))
    const own = groups.find((group) => group.kind === next.kind && group.isCounted === counted)
    own?.all.push(next)
    if (found.length === 0) own?.waiting.push(next)
  }
}

function closeBefore({ all, waiting }: OpenSegments, first: number): void {
  for (const stack of [all, waiting]) while ((stack.at(-1)?.last ?? Infinity) < first) stack.pop()
}

/** Puts the hidden owner second. The other one is always a member of this network. */
const hiddenLast = ([one, other]: OverlapPair): OverlapPair => (one.isHidden ? [other, one] : [one, other])

function toOverlap(pair: OverlapPair): Overlap {
  const [a, b] = hiddenLast(pair)
  const shown = b.isHidden ? { b: HIDDEN_OWNER, segment_b: '' } : { b: b.label, segment_b: toNetwork(b.segment) }
  return { a: a.label, segment_a: toNetwork(a.segment), ...shown }
}
