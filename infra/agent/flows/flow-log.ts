import type { SentDocument } from '#contract/device/document.ts'
import type { FlowSlot } from '#contract/kernel/protocol.ts'

/* Interface of a counter of the flows through a device; it keeps an hour until the hub has acknowledged it. */

/** One hour of flows with the device's present counts. */
export interface HourFlows {
  /** Grows with each snapshot of that hour. */
  readonly report: number
  readonly slots: readonly FlowSlot[]
}

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
