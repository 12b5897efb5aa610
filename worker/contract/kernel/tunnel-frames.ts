import * as z from 'zod'

/* Frames and limits of a router's tunnel to a directory (infra/docs/directory.md). */

/** Limits of a tunnel; times in milliseconds. */
export const TUNNEL = {
  capability: 'tunnel',
  /** Header of the upgrade with the ticket, because logs contain queries. */
  ticketHeader: 'netloom-tunnel-ticket',
  ticketMs: 30_000, // until a ticket ends
  openMs: 10_000, // for the device to open the socket, and again to reach the directory
  dialMs: 8_000, // for one address, on the device
  idleMs: 30_000, // without a byte either way
  streams: 4, // of one device at once
  frameBytes: 65_536, // of one binary frame
  windowBytes: 262_144, // sent without credit, each way
  creditBytes: 65_536, // credited at once
} as const

/** Frame from hub to device: dial this address and open a socket for it with this ticket. */
export const tunnel = z.object({
  t: z.literal('tunnel'),
  id: z.string().max(64),
  host: z.string().min(1).max(255),
  port: z.int().min(1).max(65_535),
  ticket: z.string().max(64),
  expires_at: z.number(), // server time
})
export type TunnelRequest = Omit<z.infer<typeof tunnel>, 't' | 'id'>

/** Reasons of a device that did not reach the directory. */
const TUNNEL_FAILURES = ['not_allowed', 'busy', 'name_unknown', 'refused', 'timeout', 'unreachable'] as const
export type TunnelFailure = (typeof TUNNEL_FAILURES)[number]

/**
 * Text frames of a tunnel's socket; its binary frames carry the bytes of the directory. The device first sends `opened` or
 * `failed`. Either side sends at most `windowBytes` beyond the credit of the other.
 */
const tunnelControl = z.discriminatedUnion('t', [
  z.object({ t: z.literal('opened') }),
  z.object({ t: z.literal('failed'), reason: z.enum(TUNNEL_FAILURES) }),
  z.object({ t: z.literal('credit'), bytes: z.int().min(1).max(TUNNEL.windowBytes) }),
])
export type TunnelControl = z.infer<typeof tunnelControl>

/** Parses a control frame; null for any other text. */
export function parseTunnelControl(text: string): TunnelControl | null {
  try {
    return tunnelControl.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
