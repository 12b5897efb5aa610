import { FLOW_KINDS, type FlowBucket, type FlowVolume, type FlowVolumes } from './flow-buckets.ts'
import { Packer, Unpacker } from '../traffic/traffic-packing.ts'
import { HOUR_MS, MINUTE_MS } from '../traffic/series-time.ts'

/** Content of a row: buckets of one hour or one day, and the number of the report that an hour is of. */
export interface FlowRow {
  readonly report: number
  readonly buckets: readonly FlowBucket[]
}

/** LEB128 numbers; each name stands once in a row, in one JSON text because that is read at once, and buckets name it by its place. Times are minutes since `baseMs`. */
export function packFlows({ report, buckets }: FlowRow, baseMs: number): Uint8Array {
  const to = new Packer()
  const names = [...new Set(buckets.flatMap(({ apps, sources }) => [...apps.keys(), ...sources.keys()]))]
  const indexOf = new Map(names.map((name, i) => [name, i]))
  to.put(report)
  to.putText(JSON.stringify(names))
  to.put(buckets.length)
  for (const { startMs, lengthMs, coveredMs, ...kinds } of buckets) {
    to.put((startMs - baseMs) / MINUTE_MS)
    to.put(lengthMs / MINUTE_MS)
    to.put(coveredMs / MINUTE_MS)
    for (const kind of FLOW_KINDS) {
      to.put(kinds[kind].size)
      for (const [name, { up, down }] of kinds[kind]) {
        to.put(indexOf.get(name) ?? 0)
        to.put(up)
        to.put(down)
      }
    }
  }
  return to.packed()
}

export function unpackFlows(bytes: Uint8Array, baseMs: number): FlowRow {
  const from = new Unpacker(bytes)
  const report = from.take()
  const names = JSON.parse(from.takeText()) as readonly string[]
  const takeVolumes = (): FlowVolumes => {
    const volumes = new Map<string, FlowVolume>()
    for (let left = from.take(); left > 0; left--) {
      volumes.set(names[from.take()] ?? '', { up: from.take(), down: from.take() })
    }
    return volumes
  }
  const buckets = Array.from({ length: from.take() }, (): FlowBucket => {
    const time = {
      startMs: baseMs + from.take() * MINUTE_MS,
      lengthMs: from.take() * MINUTE_MS,
      coveredMs: from.take() * MINUTE_MS,
    }
    return { ...time, apps: takeVolumes(), sources: takeVolumes() }
  })
  return { report, buckets }
}

export const packFlowHour = (hour: number, row: FlowRow): Uint8Array => packFlows(row, hour * HOUR_MS)
export const unpackFlowHour = (hour: number, bytes: Uint8Array): FlowRow => unpackFlows(bytes, hour * HOUR_MS)
