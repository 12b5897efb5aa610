import * as z from 'zod'
import { POP } from '#contract/network/limits.ts'
import { LINK_ID_MAX } from './limits.ts'

/* Counters of a device in its frame `counters`: interfaces, links and trunks. */

/**
 * Bytes since the interface came up. The hub computes rates from them. Devices count in 64 bits; beyond 2^53 sums are not
 * exact, so the counter starts over, as after a reboot.
 */
export const bytes = z
  .number()
  .nonnegative()
  .max(2 ** 64)
  .refine(Number.isInteger)
  .transform((count) => count % 2 ** 53)
const counter = z.object({ rx: bytes, tx: bytes })
export const countersByInterface = z
  .record(z.string().min(1).max(32), counter)
  .refine((r) => Object.keys(r).length <= 64)
export type Counters = z.infer<typeof countersByInterface>

/** Most links with counters in a frame, those whose client end the device is. */
export const COUNTED_LINKS = 16
/** Bytes of a link within the last `since_s` seconds: its counter starts over with the tunnel. */
const sinceStart = counter.extend({ since_s: z.number().nonnegative() })
const probes = z
  .int()
  .nonnegative()
  .max(2 ** 40)
/**
 * Probes of the client end, summed up since it began to watch the link: a sum that falls has started over. Older agents send
 * none. `rtt_max_ms` is the longest since the frame before.
 */
const linkCounter = sinceStart.extend({
  asked: probes.optional(),
  lost: probes.optional(),
  rtt_sum_ms: z
    .number()
    .nonnegative()
    .max(2 ** 40)
    .optional(),
  rtt_max_ms: z
    .number()
    .nonnegative()
    .max(2 ** 20)
    .optional(),
})
export const countersByLink = z
  .record(z.string().min(1).max(LINK_ID_MAX), linkCounter)
  .refine((r) => Object.keys(r).length <= COUNTED_LINKS)
export type LinkCounters = z.infer<typeof countersByLink>

/** Bytes of the interface that serves the points of a network, by the network's number. */
export const countersByTrunk = z
  .record(z.string().min(1).max(32), sinceStart)
  .refine((r) => Object.keys(r).length <= POP.networksPerNode)
export type TrunkCounters = z.infer<typeof countersByTrunk>
