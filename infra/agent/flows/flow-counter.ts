import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot } from '#contract/device/flows.ts'
import type { FlowDirection, TrackedFlow } from './conntrack-line.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Counter of flows: adds the bytes that each connection has moved to slots of five minutes. */

/** Largest number of connections on disk: a full table of the kernel's usual size, in 2 MB. */
export const SEEN_MAX = 65_536

interface Volume {
  readonly up: number
  readonly down: number
}
type Volumes = Map<string, Volume>
interface Slot {
  readonly apps: Volumes
  readonly sources: Volumes
}

interface FlowCounterDeps {
  isLocal(address: string): boolean
  /** Application of the far end; the empty name is the rest. */
  appOf(far: string, protocol: string, port: number): string
}

/**
 * The kernel counts each connection from its start, and lists it once more when it has ended. Connections of the device
 * itself, with neither end behind it, are not counted.
 */
export class FlowCounter {
  private readonly deps: FlowCounterDeps
  private readonly seen = new Map<string, Volume>()
  /** Connections that ended during a dump, which may still list them. */
  private readonly ended = new Set<string>()
  /** Connections not in the last dump; their end may still be on its way. */
  private missing: ReadonlySet<string> = new Set()
  private readonly slots = new Map<number, Slot>()

  /** @param seen result of `lasting` during the present boot. */
  constructor(
    deps: FlowCounterDeps,
    kept: readonly (readonly [slot: number, slot: FlowSlot])[] = [],
    seen: readonly string[] = [],
  ) {
    this.deps = deps
    for (const line of seen) {
      const [id = '', up, down] = line.split(' ')
      this.seen.set(id, { up: Number(up), down: Number(down) })
    }
    for (const [at, { apps, sources }] of kept)
      this.slots.set(at, { apps: toVolumes(apps), sources: toVolumes(sources) })
  }

  add(flow: TrackedFlow, now: number): void {
    if (flow.isDestroyed) this.ended.add(flow.id)
    else if (this.ended.has(flow.id)) return
    const path = this.pathOf(flow)
    const last = this.seen.get(flow.id)
    if (flow.isDestroyed) this.seen.delete(flow.id)
    if (!path) return
    const { source, far, port, up, down } = path
    if (!flow.isDestroyed) this.seen.set(flow.id, { up, down })
    // Counts only grow: smaller ones are those of a later connection with the same id.
    const known = last && last.up <= up && last.down <= down ? last : { up: 0, down: 0 }
    const moved = { up: up - known.up, down: down - known.down }
    if (moved.up + moved.down === 0) return
    const slot = this.slotAt(now)
    grow(slot.apps, this.deps.appOf(far, flow.protocol, port), moved)
    grow(slot.sources, source, moved)
  }

  /** Marks the present slot as watched, even without traffic. */
  watch(now: number): void {
    this.slotAt(now)
  }

  startDump(): void {
    this.ended.clear()
  }

  /** Ends a dump: connections that two dumps lack have ended without a message. */
  endDump(ids: ReadonlySet<string>): void {
    const absent = [...this.seen.keys()].filter((id) => !ids.has(id))
    for (const id of absent) if (this.missing.has(id)) this.seen.delete(id)
    this.missing = new Set(absent)
  }

  /** Hours since 1970 with known flows, oldest first. */
  hours(): readonly number[] {
    return [...new Set([...this.slots.keys()].map((slot) => Math.floor((slot * FLOWS.slotMs) / HOUR_MS)))].toSorted(
      (a, b) => a - b,
    )
  }

  hour(hour: number): readonly FlowSlot[] {
    const first = (hour * HOUR_MS) / FLOWS.slotMs
    return Array.from({ length: 12 }, (_, slot) => [slot, this.slots.get(first + slot)] as const).flatMap(
      ([slot, found]) =>
        found
          ? [{ slot, apps: bounded(found.apps, FLOWS.appsMax), sources: bounded(found.sources, FLOWS.sourcesMax) }]
          : [],
    )
  }

  /** Slots by their number (five minutes each) since 1970, for the disk. */
  all(): readonly (readonly [slot: number, slot: FlowSlot])[] {
    return this.hours().flatMap((hour) =>
      this.hour(hour).map((slot) => [(hour * HOUR_MS) / FLOWS.slotMs + slot.slot, slot] as const),
    )
  }

  /** Connections as last seen, for the disk: a line of id, up and down for each, the largest first. */
  lasting(): readonly string[] {
    return bySize(this.seen)
      .slice(0, SEEN_MAX)
      .map(([id, { up, down }]) => `${id} ${up} ${down}`)
  }

  forget(hour: number): void {
    const first = (hour * HOUR_MS) / FLOWS.slotMs
    for (let slot = 0; slot < 12; slot++) this.slots.delete(first + slot)
  }

  private slotAt(now: number): Slot {
    const at = Math.floor(now / FLOWS.slotMs)
    const slot = this.slots.get(at) ?? { apps: new Map(), sources: new Map() }
    this.slots.set(at, slot)
    return slot
  }

  /** Path of a connection: outbound if it was opened from behind the device, inbound if it was opened to a host there. */
  private pathOf({ original, reply }: TrackedFlow) {
    if (this.deps.isLocal(original.src)) return toPath(original.src, original, original.bytes, reply.bytes)
    if (!this.deps.isLocal(reply.src)) return null
    return { ...toPath(reply.src, original, reply.bytes, original.bytes), far: original.src }
  }
}

const toPath = (source: string, { dst: far, dport: port }: FlowDirection, up: number, down: number) => ({
  source,
  far,
  port,
  up,
  down,
})

function grow(volumes: Volumes, name: string, { up, down }: Volume): void {
  const known = volumes.get(name) ?? { up: 0, down: 0 }
  volumes.set(name, { up: known.up + up, down: known.down + down })
}

const toVolumes = (list: FlowSlot['apps']): Volumes => new Map(list.map(([name, up, down]) => [name, { up, down }]))

const bySize = (volumes: Volumes) => [...volumes].toSorted(([, a], [, b]) => b.up + b.down - (a.up + a.down))

/** The largest volumes by name, and the sum of the others as the rest. */
function bounded(volumes: Volumes, max: number): FlowSlot['apps'] {
  const result: Volumes = new Map()
  const named = bySize(volumes).filter(([name]) => name !== '')
  for (const [i, [name, volume]] of named.entries()) grow(result, i < max ? name : '', volume)
  const rest = volumes.get('')
  if (rest) grow(result, '', rest)
  return [...result].map(([name, { up, down }]) => [name.slice(0, FLOWS.nameMax), up, down])
}
