import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot } from '#contract/device/flows.ts'
import { DAY_MS, HOUR_MS } from '#contract/kernel/time.ts'
import { startOfDay } from '../traffic/series-time.ts'
import type { TrafficPiece, TrafficSum } from '../traffic/traffic-range.ts'

/* Buckets of flow volumes by application and by LAN address: how they are bounded, summed and merged. */

/** Bytes of one application or LAN address. */
export type FlowVolume = Pick<TrafficSum, 'up' | 'down'>
/** Volumes by name; the empty name is the rest. */
export type FlowVolumes = ReadonlyMap<string, FlowVolume>
export type FlowKind = 'apps' | 'sources'
export const FLOW_KINDS = ['apps', 'sources'] as const

/** Flows of five minutes, an hour or a day. */
export interface FlowBucket extends Readonly<Record<FlowKind, FlowVolumes>> {
  readonly startMs: number
  readonly lengthMs: number
  /** Part of `lengthMs` during which the device watched, in milliseconds. */
  readonly coveredMs: number
}

export const REST = ''
const MAX: Readonly<Record<FlowKind, number>> = { apps: FLOWS.appsMax, sources: FLOWS.sourcesMax }
const totalOf = ({ up, down }: FlowVolume): number => up + down

/** Volumes that are being added up: `addVolume` alone makes and changes them. */
export type VolumeSums = Map<string, { up: number; down: number }>

export function addVolume(sums: VolumeSums, name: string, { up, down }: FlowVolume): void {
  const sum = sums.get(name)
  if (sum) {
    sum.up += up
    sum.down += down
  } else sums.set(name, { up, down })
}

export function sumVolumes(all: readonly FlowVolumes[]): FlowVolumes {
  const sums: VolumeSums = new Map()
  for (const volumes of all) for (const [name, volume] of volumes) addVolume(sums, name, volume)
  return sums
}

/** Names by volume, the largest first, then by name, so that the order never depends on arrival. */
export const byVolume = (volumes: FlowVolumes): readonly string[] =>
  [...volumes]
    .filter(([name]) => name !== REST)
    .toSorted(([a, x], [b, y]) => totalOf(y) - totalOf(x) || (a < b ? -1 : 1))
    .map(([name]) => name)

/** Volumes of the kept names; all others are added up as the rest. */
export function withRest(volumes: FlowVolumes, kept: ReadonlySet<string>): FlowVolumes {
  const result: VolumeSums = new Map()
  for (const [name, volume] of volumes) addVolume(result, kept.has(name) ? name : REST, volume)
  return result
}

/** Buckets of an hour that a device reports. A slot that comes twice counts once. */
export function toSlotBuckets(hour: number, slots: readonly FlowSlot[]): readonly FlowBucket[] {
  const bySlot = new Map(slots.map((slot) => [slot.slot, slot]))
  return [...bySlot.values()]
    .toSorted((a, b) => a.slot - b.slot)
    .map(({ slot, apps, sources }) => ({
      startMs: hour * HOUR_MS + slot * FLOWS.slotMs,
      lengthMs: FLOWS.slotMs,
      coveredMs: FLOWS.slotMs,
      apps: toVolumes(apps, 'apps'),
      sources: toVolumes(sources, 'sources'),
    }))
}

function toVolumes(list: FlowSlot[FlowKind], kind: FlowKind): FlowVolumes {
  const volumes: VolumeSums = new Map()
  for (const [name, up, down] of list) addVolume(volumes, name, { up, down })
  return withRest(volumes, largest(volumes, kind))
}

const largest = (volumes: FlowVolumes, kind: FlowKind): ReadonlySet<string> =>
  new Set(byVolume(volumes).slice(0, MAX[kind]))

/** Buckets of one day as hours, each with the names that moved most over the whole day. */
export function toFlowHours(buckets: readonly FlowBucket[]): readonly FlowBucket[] {
  const kept = collectNames(buckets)
  const starts = [...new Set(buckets.map(({ startMs }) => Math.floor(startMs / HOUR_MS) * HOUR_MS))]
  return starts
    .toSorted((a, b) => a - b)
    .map((startMs) => {
      const within = buckets.filter((bucket) => Math.floor(bucket.startMs / HOUR_MS) * HOUR_MS === startMs)
      return mergeBuckets(within, { startMs, lengthMs: HOUR_MS }, kept)
    })
}

export const toFlowHour = (hour: number, slots: readonly FlowBucket[]): FlowBucket => ({
  startMs: hour * HOUR_MS,
  lengthMs: HOUR_MS,
  coveredMs: sumCovered(slots),
  apps: sumVolumes(slots.map(({ apps }) => apps)),
  sources: sumVolumes(slots.map(({ sources }) => sources)),
})

/** Sum of a bucket over its applications; each connection belongs to one of them. */
export function toFlowSum({ startMs, lengthMs, coveredMs, apps }: FlowBucket): TrafficPiece {
  let [up, down] = [0, 0]
  for (const volume of apps.values()) [up, down] = [up + volume.up, down + volume.down]
  return { startMs, lengthMs, coveredMs, up, down }
}

/** Bucket that holds only its sum, for storage without names. */
export const toSumBucket = (bucket: FlowBucket): FlowBucket => {
  const { up, down, ...time } = toFlowSum(bucket)
  return { ...time, apps: new Map([[REST, { up, down }]]), sources: new Map() }
}

/** Bucket with the names of one kind alone. */
export const ofKind = (kind: FlowKind, { apps, sources, ...time }: FlowBucket): FlowBucket => ({
  ...time,
  apps: kind === 'apps' ? apps : new Map(),
  sources: kind === 'sources' ? sources : new Map(),
})

export const toFlowDay = (day: number, hours: readonly FlowBucket[]): FlowBucket =>
  mergeBuckets(hours, { startMs: startOfDay(day), lengthMs: DAY_MS }, collectNames(hours))

const collectNames = (buckets: readonly FlowBucket[]): Readonly<Record<FlowKind, ReadonlySet<string>>> => ({
  apps: largest(sumVolumes(buckets.map(({ apps }) => apps)), 'apps'),
  sources: largest(sumVolumes(buckets.map(({ sources }) => sources)), 'sources'),
})

const mergeBuckets = (
  buckets: readonly FlowBucket[],
  time: Pick<FlowBucket, 'startMs' | 'lengthMs'>,
  kept: ReturnType<typeof collectNames>,
): FlowBucket => ({
  ...time,
  coveredMs: sumCovered(buckets),
  apps: withRest(sumVolumes(buckets.map(({ apps }) => apps)), kept.apps),
  sources: withRest(sumVolumes(buckets.map(({ sources }) => sources)), kept.sources),
})

const sumCovered = (buckets: readonly FlowBucket[]): number =>
  buckets.reduce((sum, { coveredMs }) => sum + coveredMs, 0)
