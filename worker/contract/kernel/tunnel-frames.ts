import * as z from 'zod'

/** A router's tunnel to a directory (infra/docs/directory.md). Times in milliseconds. */
export const TUNNEL = {
  capability: 'tunnel',
  /** Header of the upgrade: a query would be written to logs. */
  ticketHeader: 'netloom-tunnel-ticket',
  ticketMs: 30_000, // until a ticket ends
  openMs: 10_000, // for the device to open the tunnel's socket, and again for it to reach the directory
  dialMs: 8_000, // for one address, on the device
  idleMs: 30_000, // without a byte either way
  streams: 4, // of one device at once
  frameBytes: 65_536, // of one binary frame
  windowBytes: 262_144, // sent and not yet credited, each way
  creditBytes: 65_536, // credited at once
} as const

/** Hub → device, on its own socket: dial that address and open a socket for it with this ticket. */
export const tunnel = z.object({
  t: z.literal('tunnel'),
  id: z.string().max(64),
  host: z.string().min(1).max(255),
  port: z.int().min(1).max(65_535),
  ticket: z.string().max(64),
  expires_at: z.number(), // server time
})
export type TunnelRequest = Omit<z.infer<typeof tunnel>, 't' | 'id'>

/** Reasons why a device did not reach the directory. */
const TUNNEL_FAILURES = ['not_allowed', 'busy', 'name_unknown', 'refused', 'timeout', 'unreachable'] as const
export type TunnelFailure = (typeof TUNNEL_FAILURES)[number]

/**
 * Text frames of a tunnel's socket; its binary frames are the directory's bytes. `opened` or `failed` comes first, from the
 * device. Either side sends at most `windowBytes` beyond what the other has credited.
 */
const tunnelControl = z.discriminatedUnion('t', [
  z.object({ t: z.literal('opened') }),
  z.object({ t: z.literal('failed'), reason: z.enum(TUNNEL_FAILURES) }),
  z.object({ t: z.literal('credit'), bytes: z.int().min(1).max(TUNNEL.windowBytes) }),
])
export type TunnelControl = z.infer<typeof tunnelControl>

/** Control frame of a text; null for what is none. */
export function parseTunnelControl(text: string): TunnelControl | null {
  try {
    return tunnelControl.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
