import { SERIES, TRAFFIC } from '../../worker/contract/limits.ts'
import type { Counters, RatePoint } from '../../worker/contract/protocol.ts'

/** The last counters of the device: what the next ones are compared with. */
export interface Reading {
  readonly bootId: string
  /** The agent's monotonic milliseconds; only differences mean something. */
  readonly atMs: number
  readonly counters: Counters
}

/** Bytes that went through one interface. */
export interface Volume {
  readonly rx: number
  readonly tx: number
}

export interface Interval {
  readonly reading: Reading
  readonly lengthMs: number
  /** Only interfaces whose counters grew from the last reading to this one. */
  readonly volumes: Readonly<Record<string, Volume>>
}

/**
 * Compares two readings. A reboot, a counter that fell or an interface that is new gives no volume: a reset is no spike.
 * Null: too soon after the last reading, which remains the base of the next rate.
 */
export function intervalBetween(last: Reading | null, next: Reading): Interval | null {
  if (!last || last.bootId !== next.bootId || next.atMs < last.atMs) {
    return { reading: next, lengthMs: 0, volumes: {} }
  }
  const lengthMs = next.atMs - last.atMs
  if (lengthMs < SERIES.rateFloorMs) return null
  const volumes: Record<string, Volume> = {}
  for (const [name, { rx, tx }] of Object.entries(next.counters)) {
    const before = last.counters[name]
    if (before && rx >= before.rx && tx >= before.tx) volumes[name] = { rx: rx - before.rx, tx: tx - before.tx }
  }
  return { reading: next, lengthMs, volumes }
}

/** Received is down, sent is upload; bits per second. */
export function toRate({ rx, tx }: Volume, lengthMs: number, time: number): RatePoint {
  return { down: Math.round((rx * 8000) / lengthMs), upload: Math.round((tx * 8000) / lengthMs), time }
}

export function toRates({ volumes, lengthMs }: Interval, now: number): Record<string, RatePoint> {
  return Object.fromEntries(Object.entries(volumes).map(([name, volume]) => [name, toRate(volume, lengthMs, now)]))
}

export type Window = Readonly<Record<string, readonly RatePoint[]>>

export function addPoints(window: Window, points: Readonly<Record<string, RatePoint>>): Window {
  const grown = Object.entries(points).map(([name, point]) => [
    name,
    [...(window[name] ?? []), point].slice(-TRAFFIC.pointsKept),
  ])
  return { ...window, ...Object.fromEntries(grown) }
}
