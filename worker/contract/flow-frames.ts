import * as z from 'zod'
import { FLOWS } from './hub-limits.ts'

/**
 * Bytes that a device counted of its connections. An hour is reported as a whole, in as many parts as fit into frames,
 * until the hub acknowledges it: a report of a lower number than the one that is known says nothing new.
 */
const bytes = z.int().nonnegative().max(FLOWS.bytesMax)
/** Name, up, down; the empty name is the rest. */
const volume = z.tuple([z.string().max(FLOWS.nameMax), bytes, bytes])
const volumes = (max: number) => z.array(volume).max(max + 1) // and the rest

/** Five minutes: a slot that is missing was not watched, one without flows was quiet. */
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
  over: z.boolean(), // false: the hour goes on; nothing is stored or acknowledged
  part: z
    .int()
    .min(0)
    .max(FLOWS.partsMax - 1),
  parts: z.int().min(1).max(FLOWS.partsMax),
  slots: z.array(flowSlot).max(12),
})
export type FlowsFrame = z.infer<typeof flows>

/** Acknowledges hours that are stored, or can be no more. */
export const flowsAck = z.object({ t: z.literal('flows_ack'), hours: z.array(z.int()) })
/** Asks for a report of the hour that goes on: somebody looks at the flows. */
export const flowsAsk = z.object({ t: z.literal('flows_ask') })
