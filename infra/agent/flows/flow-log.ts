import type { SentDocument } from '#contract/device/document.ts'
import type { FlowSlot } from '#contract/kernel/protocol.ts'

/** One hour of flows as a device knows it now. */
export interface HourFlows {
  /** Grows with each snapshot of that hour. */
  readonly report: number
  readonly slots: readonly FlowSlot[]
}

/** Counter of the connections through a device; an hour is kept until the hub has acknowledged it. */
export interface FlowLog {
  /** Hours since 1970 that are over and not acknowledged, oldest first. */
  pending(): readonly number[]
  read(hour: number): HourFlows
  acknowledged(hour: number): void
  /** The document that runs now: flows are counted on SaaS devices only. */
  serve(document: SentDocument | null): void
  stop(): void
}

export const isSaas = (document: SentDocument | null): boolean => document?.bandwidth_mbps !== undefined
