import { SERIES, STREAM } from '#contract/kernel/hub-limits.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import { Throttle } from '#durable/async.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import { probesBetween } from './link-probes.ts'
import { dayOf } from './series-time.ts'
import { type Counter, type Reading, type Volume, baseOf, isLinkName, linkIdOf } from './traffic-reading.ts'

/* Rates of interfaces from counters, and the frames that carry them to viewers. */

export interface Interval {
  readonly reading: Reading
  readonly lengthMs: number
  /** Volumes of interfaces and links whose counters grew from the last reading to this one. */
  readonly volumes: Readonly<Record<string, Volume>>
}

/**
 * Compares two readings. A reboot, a counter that fell or an interface that is new gives no volume, and neither does a rate
 * above any line's: a reset is no spike. A tunnel that came up since gives its whole counter. Null: too soon after the last
 * reading, which remains the base of the next rate. `sinceMs` is the hub's own time since that reading, null if it is
 * unknown: a device's clock makes no rate higher, and an interval that it reports too long has no volume.
 */
export function intervalBetween(last: Reading | null, next: Reading, sinceMs: number | null): Interval | null {
  if (sinceMs !== null && sinceMs < SERIES.rateFloorMs) return null
  if (!last || last.bootId !== next.bootId || next.atMs < last.atMs) {
    return { reading: next, lengthMs: 0, volumes: {} }
  }
  const reportedMs = next.atMs - last.atMs
  if (sinceMs !== null && reportedMs > sinceMs + SERIES.aheadMs) return { reading: next, lengthMs: 0, volumes: {} }
  if (reportedMs < SERIES.rateFloorMs) return null
  const lengthMs = Math.max(reportedMs, sinceMs ?? 0)
  const volumes: Record<string, Volume> = {}
  for (const [name, counter] of Object.entries(next.counters)) {
    const volume = volumeSince(last, name, counter, lengthMs)
    if (volume) volumes[name] = volume
  }
  return { reading: next, lengthMs, volumes }
}

function volumeSince(last: Reading, name: string, counter: Counter, lengthMs: number): Volume | null {
  const base = baseOf(last, name, counter)
  if (!base || counter.rx < base.rx || counter.tx < base.tx) return null
  const volume = { rx: counter.rx - base.rx, tx: counter.tx - base.tx }
  if (Math.max(volume.rx, volume.tx) > (SERIES.bpsMax / 8000) * lengthMs) return null
  const probes = probesBetween(last.counters[name]?.sums, counter.sums, lengthMs)
  return { ...volume, ...(probes && { probes }) }
}

/** Rate in bits per second; received bytes are down, sent ones up. */
export function toRate({ rx, tx }: Volume, lengthMs: number, time: number): RatePoint {
  return { down: Math.round((rx * 8000) / lengthMs), upload: Math.round((tx * 8000) / lengthMs), time }
}

/** Rates of the interfaces. */
export function toRates({ volumes, lengthMs }: Interval, now: number): Record<string, RatePoint> {
  const ofInterfaces = Object.entries(volumes).filter(([name]) => !isLinkName(name))
  return Object.fromEntries(ofInterfaces.map(([name, volume]) => [name, toRate(volume, lengthMs, now)]))
}

/** Rates of the links, by id. */
export function toLinkRates({ volumes, lengthMs }: Interval, now: number): Rates {
  const ofLinks = Object.entries(volumes).filter(([name]) => isLinkName(name))
  return Object.fromEntries(ofLinks.map(([name, volume]) => [linkIdOf(name), toRate(volume, lengthMs, now)]))
}

/** Names that a router's traffic is kept under, on one day by the hub's clock. */
export interface KnownNames {
  readonly day: number
  readonly names: readonly string[]
}

/** Counters of the first interfaces and links of a day, as many as SERIES says: rows of made-up names would fill the hub. */
export function admitCounters(
  known: KnownNames | null,
  counters: Reading['counters'],
  now: number,
): { known: KnownNames; counters: Reading['counters'] } {
  const day = dayOf(now)
  const before = known?.day === day ? known : { day, names: [] }
  const fresh = Object.keys(counters).filter((name) => !before.names.includes(name))
  const all = [...before.names, ...fresh]
  const names = [
    ...all.filter((name) => !isLinkName(name)).slice(0, SERIES.interfacesPerDay),
    ...all.filter(isLinkName).slice(0, SERIES.linksPerDay),
  ]
  const isAdmitted = ([name]: [string, unknown]) => names.includes(name)
  return {
    known: fresh.length > 0 && names.length > before.names.length ? { day, names } : before,
    counters: Object.fromEntries(Object.entries(counters).filter(isAdmitted)),
  }
}

export type Window = Readonly<Record<string, readonly RatePoint[]>>

export function addPoints(window: Window, points: Readonly<Record<string, RatePoint>>): Window {
  const grown = Object.entries(points).map(([name, point]) => [
    name,
    [...(window[name] ?? []), point].slice(-TRAFFIC.pointsKept),
  ])
  return { ...window, ...Object.fromEntries(grown) }
}

export const toBitRate = (bytes: number, ms: number): number => (ms === 0 ? 0 : Math.round((bytes * 8000) / ms))

export type Rates = Readonly<Record<string, RatePoint>>

/**
 * Sends live samples as frames. A send costs the same whatever its size, so beyond `crowdViewers` one frame carries the
 * samples of `crowdGapMs`: the newest in `data`, earlier ones in `earlier`.
 */
export class SampleFrames {
  private held: Rates[] = []
  private readonly broadcast: (frame: ViewerBody) => void
  private readonly throttle = new Throttle(() => this.flush(), STREAM.crowdGapMs)

  constructor(broadcast: (frame: ViewerBody) => void) {
    this.broadcast = broadcast
  }

  add(rates: Rates, viewers: number): void {
    this.held.push(rates)
    if (viewers > STREAM.crowdViewers) this.throttle.trigger()
    else this.flush()
  }

  private flush(): void {
    const earlier = this.held
    const data = earlier.pop()
    this.held = []
    if (data) this.broadcast({ type: 'interface', data, ...(earlier.length > 0 && { earlier }) })
  }
}
