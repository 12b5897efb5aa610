import * as z from 'zod'
import { FLOWS } from '#contract/kernel/hub-limits.ts'

/* Flows of a device in its frame `flows`: bytes of its connections by application and LAN address. */

/**
 * Bytes that a device counted of its connections. A device reports a whole hour, in parts that fit into frames, until the
 * hub acknowledges it. A report with a lower number than the known one has nothing new.
 */
const volumeBytes = z.int().nonnegative().max(FLOWS.bytesMax)
/** Name, bytes up, bytes down. The empty name is the rest. */
const volume = z.tuple([z.string().max(FLOWS.nameMax), volumeBytes, volumeBytes])
const volumes = (max: number) => z.array(volume).max(max + 1) // and the rest

/** Slot of five minutes. A missing slot was not counted; a slot without flows had no traffic. */
export const flowSlot = z.object({
  slot: z.int().min(0).max(11), // of the hour
  apps: volumes(FLOWS.appsMax),
  sources: volumes(FLOWS.sourcesMax), // LAN addresses
})
export type FlowSlot = z.infer<typeof flowSlot>

export const flows = z.object({
  t: z.literal('flows'),
  hour: z.int().nonnegative(), // since 1970, UTC
  report: z.int().nonnegative(), // grows with each snapshot of that hour
  over: z.boolean(), // false: the current hour, which is neither stored nor acknowledged
  part: z
    .int()
    .min(0)
    .max(FLOWS.partsMax - 1),
  parts: z.int().min(1).max(FLOWS.partsMax),
  slots: z.array(flowSlot).max(12),
})
export type FlowsFrame = z.infer<typeof flows>
