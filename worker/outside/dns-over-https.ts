import * as z from 'zod'
import { refuse } from '#contract/kernel/errors.ts'

/* DNS over HTTPS: the addresses of a host name. */

/** Resolves a host name to all its IPv4 and IPv6 addresses; empty if it has none. */
export type Resolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const RECORD = { A: 1, AAAA: 28 } as const // RFC 1035, 3596
const NO_ERROR = 0
const NAME_UNKNOWN = 3

const reply = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
})

/** Asks a JSON endpoint for both families. A missing or malformed answer refuses the host. */
export const createResolver =
  (ask: (query: `?${string}`, signal: AbortSignal) => Promise<unknown>): Resolver =>
  async (host, signal) => {
    const families = Object.keys(RECORD) as (keyof typeof RECORD)[]
    const found = await Promise.all(
      families.map(async (type) => {
        const { success, data } = reply.safeParse(await ask(`?${new URLSearchParams({ name: host, type })}`, signal))
        if (!success || ![NO_ERROR, NAME_UNKNOWN].includes(data.Status)) refuse('OUTBOUND_HOST_UNKNOWN', { host })
        return (data?.Answer ?? []).filter((record) => record.type === RECORD[type]).map((record) => record.data)
      }),
    )
    return found.flat()
  }
