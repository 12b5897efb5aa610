import type { RatePoint } from '#contract/kernel/protocol.ts'
import { HOUR_MS, MINUTE_MS, endOfStep } from './series-time.ts'
import { toRate } from './traffic-rates.ts'
import type { HourSlots, Slot } from './traffic-slots.ts'

interface Steps {
  readonly from: number
  readonly to: number
  readonly stepMs: number
  /** The minute that is not over has no rate yet. */
  readonly now: number
}

/** Slots averaged over equal steps of whole minutes. Minutes that no slot covers do not lower an average. */
export function toSteps(
  hours: readonly (readonly [number, HourSlots])[],
  { from, to, stepMs, now }: Steps,
): Record<string, RatePoint[]> {
  const sums = new Map<string, Map<number, { rx: number; tx: number; minutes: number }>>()
  const addMinute = (name: string, atMs: number, { rx, tx, span }: Slot) => {
    if (atMs < from || atMs >= to || atMs + MINUTE_MS > now) return
    const steps = sums.get(name) ?? new Map()
    sums.set(name, steps)
    const end = endOfStep(atMs, stepMs)
    const sum = steps.get(end) ?? { rx: 0, tx: 0, minutes: 0 }
    steps.set(end, { rx: sum.rx + rx / span, tx: sum.tx + tx / span, minutes: sum.minutes + 1 })
  }
  for (const [hour, byInterface] of hours) {
    for (const [name, slots] of Object.entries(byInterface)) {
      for (const slot of slots) {
        const endMs = hour * HOUR_MS + (slot.minute + 1) * MINUTE_MS
        for (let back = slot.span; back > 0; back--) addMinute(name, endMs - back * MINUTE_MS, slot)
      }
    }
  }
  const toPoints = (steps: ReadonlyMap<number, { rx: number; tx: number; minutes: number }>) =>
    [...steps]
      .toSorted(([a], [b]) => a - b)
      .map(([end, { minutes, ...volume }]) => toRate(volume, minutes * MINUTE_MS, end))
  return Object.fromEntries([...sums].map(([name, steps]) => [name, toPoints(steps)]))
}
