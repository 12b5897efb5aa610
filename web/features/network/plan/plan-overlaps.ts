import {
  type Neighbor,
  broughtBy,
  neighborhoodSegments,
  segmentsOf,
} from '#domain/network/addresses/member-segments.ts'
import { diffMembers } from '#domain/network/members/membership.ts'
import { nextFreeSegment, toNetwork } from '#domain/network/addresses/segments.ts'
import {
  isOverlap,
  locate,
  type LocatedSegment,
  type OverlapPair,
  overlapPairs,
  type OwnedSegment,
} from '#domain/network/addresses/overlap.ts'
import type { MemberOption, PickerState } from './picker/member-plan.ts'
import { toMembers, toNeighbors } from './check-plan.ts'

/* Overlaps of segments in a plan of members, by the rule of the server (domain/network/addresses/overlap.ts). */

interface RowOverlap {
  /** Segment of the row itself, or of another network that it is in. */
  readonly own: OwnedSegment
  readonly other: OwnedSegment
  /** The plan causes the overlap and cannot be saved; false for an overlap that existed before. */
  readonly isBrought: boolean
}

export type PlanOverlaps = ReturnType<typeof findPlanOverlaps>

export function findPlanOverlaps(state: PickerState) {
  const neighbors = toNeighbors(state.known, state.networkNumber)
  const [before, after] = [toMembers(state, state.base), toMembers(state, state.plan)]
  const { added, promoted } = diffMembers(before, after)
  const isBrought = broughtBy({ before, after, promoted }, neighbors)
  const around = neighborhoodSegments(after, neighbors)
  const inside = new Set(after.map(({ routerName }) => routerName))
  const carriersOf = findCarriers(
    neighbors,
    added.map(({ routerName }) => routerName),
  )

  const rows = new Map<string, RowOverlap>()
  const put = (name: string, row: RowOverlap) => {
    if (!rows.has(name)) rows.set(name, row)
  }
  const located = locate(around)
  const ownersOf = ({ kind, routerName }: OwnedSegment) =>
    kind !== 'outer' && inside.has(routerName) ? [routerName] : carriersOf(routerName)
  for (const [own, other] of [...overlapPairs(located, isBrought)].flatMap(bothWays))
    for (const name of ownersOf(own)) put(name, { own, other, isBrought: true })
  for (const [own, other] of [...overlapPairs(located)].flatMap(bothWays))
    if (inside.has(own.routerName) && own.kind !== 'outer') put(own.routerName, { own, other, isBrought: false })
  return {
    /** Members of the plan that are part of an overlap or bring one, each with its first overlap. */
    rows,
    /** Number of rows whose overlap keeps the plan from being saved. */
    brought: [...rows.values()].filter((row) => row.isBrought).length,
    /** Overlap of a member that is not in the plan, by its own segments. */
    preview: (option: MemberOption) => findPreview(option, located),
    toFree: createFreeFinder(state.known),
  }
}

const bothWays = ([one, other]: OverlapPair): readonly OverlapPair[] => [
  [one, other],
  [other, one],
]

/** New members that share a network with somebody outside the plan: they bring its segments along. */
function findCarriers(neighbors: readonly Neighbor[], added: readonly string[]) {
  const names = new Set(added)
  const [addedIn, networksOf] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const { routerName, networkNumber } of neighbors) {
    append(networksOf, routerName, networkNumber)
    if (names.has(routerName)) append(addedIn, networkNumber, routerName)
  }
  return (outside: string): readonly string[] =>
    (networksOf.get(outside) ?? []).flatMap((number) => addedIn.get(number) ?? [])
}

function append(groups: Map<string, string[]>, key: string, value: string): void {
  const known = groups.get(key)
  if (known) known.push(value)
  else groups.set(key, [value])
}

function findPreview({ router_name, note, lan, wan }: MemberOption, around: readonly LocatedSegment[]) {
  const owner = { routerName: router_name, label: note || router_name }
  const own = locate([
    ...lan.map((segment) => ({ ...owner, segment, kind: 'inner' as const })),
    ...wan.map((segment) => ({ ...owner, segment, kind: 'wan' as const })),
  ])
  for (const one of own)
    for (const other of around) if (isOverlap(one, other)) return { own: one, other, isBrought: true }
  return null
}

/** Finds the next free segment in place of another; null if there is none. */
function createFreeFinder(known: PickerState['known']) {
  let taken: readonly string[] | null = null
  return (segment: string) => {
    taken ??= [...known.values()].flatMap(({ lan, wan, networks }) => [
      ...lan,
      ...wan,
      ...networks.flatMap(({ segment_index: segmentIndex, gateway }) =>
        segmentsOf({ lans: [], segmentIndex, gateway: gateway ?? undefined }),
      ),
    ])
    return nextFreeSegment(segment, taken)
  }
}

/** Text of an overlap: both owners, and a free segment for the row's own LAN. */
export function overlapRowText({ own, other }: RowOverlap, option: MemberOption, free: string | null): string {
  const text = (segment: OwnedSegment) => `${segment.label}（${toNetwork(segment.segment)}）`
  if (own.kind === 'outer') return `${text(own)}与${text(other)}重叠`
  const kind = own.kind === 'wan' ? 'WAN 网段' : option.lan.includes(own.segment) ? '网段' : '中心点网段'
  const way = free === null ? '' : `，可改用 ${free}`
  return `${kind} ${toNetwork(own.segment)} 与${text(other)}重叠${way}`
}

/** The overlap can be resolved here: customers can change only the segment of a LAN. */
export const isMovable = ({ own }: RowOverlap, option: MemberOption): boolean =>
  own.kind === 'inner' && option.lan.includes(own.segment)
