import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { SentDocument } from '#contract/device/document.ts'
import type { FlowSlot, FlowsFrame } from '#contract/device/flows.ts'
import type { Clock } from '../clock.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Reports each hour of flows until the hub has acknowledged it, one at a time; the running hour on request. */

/** Time after the end of an hour within which it is reported, so that a fleet does not report at once. */
const SPREAD_MS = 60_000
/** Gap between two hours: a fifth of the frames that a hub admits. */
const GAP_MS = 500
/** Largest part of a 64 KiB frame that slots may fill, in bytes. */
const SLOTS_MAX_BYTES = 60_000

/** One hour of flows with the device's present counts. */
export interface HourFlows {
  /** Grows with each snapshot of that hour. */
  readonly report: number
  readonly slots: readonly FlowSlot[]
}

/** Counter of the flows through a device; it keeps an hour until the hub has acknowledged it. */
export interface FlowLog {
  /** Hours since 1970 that are over and not acknowledged, oldest first. */
  pending(): readonly number[]
  read(hour: number): HourFlows
  acknowledged(hour: number): void
  /** Sets the running document: flows are counted on SaaS devices only. */
  serve(document: SentDocument | null): void
  stop(): void
}

export const isSaas = (document: SentDocument | null): boolean => document?.bandwidth_mbps !== undefined

interface FlowReporterDeps {
  readonly clock: Clock
  /** Random number in [0, 1). */
  readonly random: () => number
  readonly log: FlowLog
  send(frame: FlowsFrame): void
}

export class FlowReporter {
  private readonly deps: FlowReporterDeps
  private isUp = false
  private isActive = false
  private cancelTimer: () => void = () => {}

  constructor(deps: FlowReporterDeps) {
    this.deps = deps
  }

  serve(document: SentDocument | null): void {
    this.deps.log.serve(document)
    const wasActive = this.isActive
    this.isActive = isSaas(document)
    if (this.isActive && !wasActive) this.flushIn(GAP_MS)
  }

  connected(): void {
    this.isUp = true
    this.flushIn(GAP_MS)
  }

  disconnected(): void {
    this.isUp = false
    this.cancelTimer()
  }

  stop(): void {
    this.disconnected()
    this.deps.log.stop()
  }

  acknowledged(hours: readonly number[]): void {
    for (const hour of hours) this.deps.log.acknowledged(hour)
    this.flushIn(GAP_MS)
  }

  asked(): void {
    if (this.isUp && this.isActive) this.send(Math.floor(this.deps.clock.now() / HOUR_MS), false)
  }

  private flushIn(ms: number): void {
    this.cancelTimer()
    if (this.isUp && this.isActive) this.cancelTimer = this.deps.clock.after(ms, () => this.flush())
  }

  private flush(): void {
    const [hour] = this.deps.log.pending()
    if (hour === undefined) return this.flushIn(this.untilNextReportMs())
    this.send(hour, true)
    this.flushIn(FLOWS.retryMs)
  }

  private untilNextReportMs(): number {
    const { clock, random } = this.deps
    return HOUR_MS - (clock.now() % HOUR_MS) + SPREAD_MS * random()
  }

  private send(hour: number, over: boolean): void {
    const { report, slots } = this.deps.log.read(hour)
    const parts = toParts(slots)
    for (const [part, some] of parts.entries())
      this.deps.send({ t: 'flows', hour, report, over, part, parts: parts.length, slots: [...some] })
  }
}

/** Splits slots into parts, as many slots to a frame as fit. */
export function toParts(slots: readonly FlowSlot[]): readonly (readonly FlowSlot[])[] {
  const parts: FlowSlot[][] = [[]]
  let bytes = 0
  for (const slot of slots) {
    const length = Buffer.byteLength(JSON.stringify(slot))
    if (bytes > 0 && bytes + length > SLOTS_MAX_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(slot)
    bytes += length
  }
  return parts
}
