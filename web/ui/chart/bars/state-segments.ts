import type { RouterEvents } from '#contract/router/views.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'

/* Segments of a member's state bar, and the total time of each state. */

/** Span of time in one state; null if unknown. */
export interface StateSegment {
  readonly state: PresenceState | null
  readonly fromMs: number
  readonly toMs: number
}

/** Segments of the whole bar without gaps, oldest first. */
export function toSegments({ bar, transitions }: Pick<RouterEvents, 'bar' | 'transitions'>): readonly StateSegment[] {
  const segments: StateSegment[] = []
  let [state, fromMs]: [PresenceState | null, number] = [bar.start, bar.from]
  const end = (toMs: number) => {
    if (toMs > fromMs) segments.push({ state, fromMs, toMs })
  }
  for (const { to, at } of transitions.toReversed()) {
    if (at <= bar.from) continue
    const atMs = Math.min(at, bar.to) // clocks of the hub and of the Worker differ a little
    if (to === state) continue
    end(atMs)
    state = to
    fromMs = atMs
  }
  end(bar.to)
  return segments
}

/** Total duration of each state, the longest first. */
export function stateShares(segments: readonly StateSegment[]): readonly (readonly [StateSegment['state'], number])[] {
  const total = new Map<StateSegment['state'], number>()
  for (const { state, fromMs, toMs } of segments) total.set(state, (total.get(state) ?? 0) + toMs - fromMs)
  return [...total].toSorted(([, a], [, b]) => b - a)
}
