import type { StateMove } from '#contract/kernel/hubs.ts'
import type { PresenceState, PresenceView } from '#contract/kernel/protocol.ts'
import { hasCome, isPresent, stableState } from './member.ts'

export type Transition = Pick<StateMove, 'from' | 'to' | 'at'>

/** The transition between two states, or null. 重连中 is none: it is decided first (stableState in member.ts). */
export function moveBetween(before: PresenceView, after: PresenceView, at: number): StateMove | null {
  const [from, to] = [stableState(before.state), stableState(after.state)]
  return from === to ? null : { from, to, at, reason: after.reason }
}

interface Connection {
  readonly online: number
  readonly epoch: number
  readonly at: number
  readonly reason: string
}

/** A line of the connection log as a transition; a device comes with its first epoch. */
export const toMove = ({ online, epoch, at, reason }: Connection): StateMove =>
  online === 1
    ? { from: epoch === 1 ? 'never' : 'offline', to: 'online', at, reason }
    : { from: 'online', to: 'offline', at, reason }

/** The state at a time. Transitions are newest first and may start later: what came before is what the oldest left. */
export function stateAt(now: PresenceState, transitions: readonly Transition[], at: number): PresenceState {
  const next = transitions.findLast((transition) => transition.at > at)
  return next?.from ?? transitions[0]?.to ?? stableState(now)
}

export interface CurvePoint {
  readonly at: number
  readonly online: number
}

interface CurveRange {
  readonly from: number
  readonly to: number
  /** Four points at most are kept of each. */
  readonly bucketMs: number
}

/**
 * Number of 在线 members from the first member's arrival until `to`; each value holds until the next point.
 * Counts back from the present states, so transitions older than the kept ones do not matter.
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
    // Changes of the same moment are one.
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

/** Of each bucket the first, lowest, highest and last point: the drawn line keeps all its extremes and times. */
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

/**
 * The share of the time in which at least one centre was there, of the time since the first of them came; null where none
 * ever did.
 */
export function availability(
  centers: readonly Center<Transition>[],
  { from, to }: { readonly from: number; readonly to: number },
): number | null {
  const states = centers.map(({ state }) => state)
  const changes = centers
    .flatMap(({ transitions }, center) => transitions.map((transition) => ({ ...transition, center })))
    .filter(({ at }) => at > from && at <= to)
    .toSorted((a, b) => b.at - a.at)
  let [up, opened, end] = [0, 0, to]
  const count = (start: number) => {
    if (states.some((state) => isPresent(state))) up += end - start
    if (states.some((state) => state !== 'never')) opened += end - start
    end = start
  }
  for (const { center, from: before, at } of changes) {
    count(at)
    states[center] = before
  }
  count(from)
  return opened === 0 ? null : up / opened
}
