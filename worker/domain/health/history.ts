import type { StateMove } from '#contract/kernel/hubs.ts'
import type { PresenceState, PresenceView } from '#contract/kernel/protocol.ts'
import type { Overview } from '#contract/overview/index.ts'
import { hasCome, isPresent, stableState } from './member.ts'

/* Presence over time from stored transitions: state at a time, curve of online members (在线), availability of centres. */

export type Transition = Pick<StateMove, 'from' | 'to' | 'at'>

/** The transition between two states, or null. A reconnecting (重连中) member still counts as online. */
export function moveBetween(before: PresenceView, after: PresenceView, at: number): StateMove | null {
  const [from, to] = [stableState(before.state), stableState(after.state)]
  return from === to ? null : { from, to, at, reason: after.reason }
}

/**
 * Transitions of a router whose hub has answered again, after the last known state: a first one begins in it, and without
 * any the present state ends it.
 */
export function movesAfterSilence(
  last: PresenceState | undefined,
  { presence, moves }: { readonly presence: PresenceView; readonly moves: readonly StateMove[] },
  now: number,
): readonly StateMove[] {
  if (last !== 'unreadable') return moves
  const [first, ...others] = moves.toSorted((a, b) => a.at - b.at)
  if (first !== undefined) return [{ ...first, from: 'unreadable' }, ...others]
  return [{ from: 'unreadable', to: stableState(presence.state), at: now, reason: presence.reason }]
}

interface Connection {
  readonly online: number
  readonly epoch: number
  readonly at: number
  readonly reason: string
}

/** Converts a line of the connection log. The first epoch of a device is its first arrival. */
export const toMove = ({ online, epoch, at, reason }: Connection): StateMove =>
  online === 1
    ? { from: epoch === 1 ? 'never' : 'offline', to: 'online', at, reason }
    : { from: 'online', to: 'offline', at, reason }

/** The state at a time. Transitions are newest first; before the oldest known one, its `from` state holds. */
export function stateAt(now: PresenceState, transitions: readonly Transition[], at: number): PresenceState {
  const next = transitions.findLast((transition) => transition.at > at)
  return next?.from ?? transitions[0]?.to ?? stableState(now)
}

export type CurvePoint = Readonly<Overview['presence'][number]>

interface CurveRange {
  readonly from: number
  readonly to: number
  /** Length of a bucket; at most four of its points are kept. */
  readonly bucketMs: number
}

/**
 * Number of online members from the first member's arrival until `to`; each value holds until the next point. Counts back
 * from the present states, so transitions older than the kept ones do not matter.
 */
export function presenceCurve(
  states: readonly PresenceState[],
  transitions: readonly Transition[],
  { from, to, bucketMs }: CurveRange,
): readonly CurvePoint[] {
  const newestFirst = transitions.filter(({ at }) => at > from && at <= to).toSorted((a, b) => b.at - a.at)
  const newest = states.filter(isOn).length
  let [online, came] = [newest, states.filter(hasCome).length]
  const found: (CurvePoint & { readonly came: number })[] = []
  for (const move of newestFirst) {
    // Changes at the same moment make one point.
    if (found.at(-1)?.at !== move.at) found.push({ at: move.at, online, came })
    online -= Number(isOn(move.to)) - Number(isOn(move.from))
    came -= Number(hasCome(move.to)) - Number(hasCome(move.from))
  }
  const points = [...found, { at: from, online, came }].toReversed()
  const first = points.findIndex((point) => point.came > 0)
  if (first === -1) return []
  const steps = points
    .slice(first)
    .map(({ at, online: value }) => ({ at, online: Math.max(0, value) }))
    .filter((point, n, all) => point.online !== all[n - 1]?.online)
  const thinned = thinPoints(steps, ({ at }) => Math.floor((at - from) / bucketMs))
  return thinned.at(-1)?.at === to ? thinned : [...thinned, { at: to, online: newest }]
}

const isOn = (state: PresenceState): boolean => stableState(state) === 'online'

/** Keeps the first, lowest, highest and last point of each bucket, so that the drawn line keeps its extremes. */
function thinPoints(points: readonly CurvePoint[], bucketOf: (point: CurvePoint) => number): readonly CurvePoint[] {
  const buckets = new Map<number, { first: CurvePoint; lowest: CurvePoint; highest: CurvePoint; last: CurvePoint }>()
  for (const point of points) {
    const kept = buckets.get(bucketOf(point))
    if (kept === undefined) {
      buckets.set(bucketOf(point), { first: point, lowest: point, highest: point, last: point })
      continue
    }
    if (point.online < kept.lowest.online) kept.lowest = point
    if (point.online > kept.highest.online) kept.highest = point
    kept.last = point
  }
  return [...buckets.values()].flatMap(({ first, lowest, highest, last }) =>
    [...new Set([first, lowest, highest, last])].toSorted((a, b) => a.at - b.at),
  )
}

interface Center<T> {
  readonly state: PresenceState
  readonly transitions: readonly T[]
}

interface Availability {
  readonly share: number
  /** Time that the share is of. */
  readonly measuredMs: number
}

/**
 * Share of the time with at least one centre present, counted since the first centre came; null if none ever came. Left out
 * is the time in which no centre was present and one was unreadable.
 */
export function availability(
  centers: readonly Center<Transition>[],
  { from, to }: { readonly from: number; readonly to: number },
): Availability | null {
  const states = centers.map(({ state }) => state)
  const changes = centers
    .flatMap(({ transitions }, center) => transitions.map((transition) => ({ ...transition, center })))
    .filter(({ at }) => at > from && at <= to)
    .toSorted((a, b) => b.at - a.at)
  let [up, opened, end] = [0, 0, to]
  const count = (start: number) => {
    const isUp = states.some((state) => isPresent(state))
    const isKnown = isUp || !states.includes('unreadable') // a time without an answer counts for neither
    if (isUp) up += end - start
    if (isKnown && states.some((state) => state !== 'never')) opened += end - start
    end = start
  }
  for (const { center, from: before, at } of changes) {
    count(at)
    states[center] = before
  }
  count(from)
  return opened === 0 ? null : { share: up / opened, measuredMs: opened }
}
