import type { StateMove } from '../../contract/hubs.ts'
import type { PresenceState, PresenceView } from '../../contract/protocol.ts'
import { isPresent, settled } from './member.ts'

export type Transition = Pick<StateMove, 'from' | 'to' | 'at'>

/** The transition between two states, or null. 重连中 is none: it is decided first (settled in member.ts). */
export function moveBetween(before: PresenceView, after: PresenceView, at: number): StateMove | null {
  const [from, to] = [settled(before.state), settled(after.state)]
  return from === to ? null : { from, to, at, reason: after.reason }
}

/** The state at a time. Transitions are newest first and may start later: what came before is what the oldest left. */
export function stateAt(now: PresenceState, transitions: readonly Transition[], at: number): PresenceState {
  const next = transitions.findLast((transition) => transition.at > at)
  return next?.from ?? transitions[0]?.to ?? settled(now)
}

export interface CurvePoint {
  readonly at: number
  readonly online: number
}

/**
 * How many members were 在线, at each step between two times, the last point at `to`. Reads backwards from how many are
 * now, so that what happened before the transitions that are kept does not matter.
 */
export function presenceCurve(
  onlineNow: number,
  transitions: readonly Transition[],
  range: { readonly from: number; readonly to: number; readonly stepMs: number },
): readonly CurvePoint[] {
  const newestFirst = transitions.filter(({ at }) => at <= range.to).toSorted((a, b) => b.at - a.at)
  const points: CurvePoint[] = []
  let online = onlineNow
  let next = 0
  for (let at = range.to; at >= range.from; at -= range.stepMs) {
    for (let change = newestFirst[next]; change !== undefined && change.at > at; change = newestFirst[++next])
      online -= weight(change.to) - weight(change.from)
    points.push({ at, online: Math.max(0, online) })
  }
  return points.toReversed()
}

const weight = (state: PresenceState): number => (settled(state) === 'online' ? 1 : 0)

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
