import type { HubName, ReturningDevice } from '#contract/kernel/hubs.ts'
import type { Ctx } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { keyFingerprint, pinnedKey } from '#security/device-secrets.ts'
import { type ReturnTicket, readReturnTicket } from '#security/return-ticket.ts'
import { remoteHostOf } from './connect.ts'
import { parseIssuer, verifyDeviceToken } from './device-token.ts'

/* Devices that come back by their return ticket, without the database. */

/**
 * Reads a ticket and checks that the device's own token is signed by the ticket's key. Null for a ticket that does not
 * count: the database decides then, as without one.
 */
export async function identifyReturning(
  ctx: Ctx,
  text: string,
  bearer: string,
): Promise<{ readonly hub: HubName; readonly returning: ReturningDevice } | null> {
  const ticket = await readTicket(ctx, text)
  const serial = parseIssuer(bearer)
  if (ticket === null || serial.toUpperCase() !== ticket.routerName.toUpperCase()) return null
  const { hub, accountId, deviceId, routerName, key, generation } = ticket
  const storedKey = pinnedKey(key)
  const proof = await verifyDeviceToken(bearer, serial, storedKey, ctx.now)
  if (proof === null) return null
  const names = { accountId, deviceId, routerName, serial, keyFingerprint: keyFingerprint(storedKey) }
  const device = { ...names, remoteHost: remoteHostOf(ctx), remotePort: 0, ...proof }
  return { hub, returning: { device, generation } }
}

/** A wrong setting of the keys must not shut a fleet out that the database would let in. */
async function readTicket({ env, now, requestId }: Ctx, text: string): Promise<ReturnTicket | null> {
  try {
    return await readReturnTicket(env.TICKET_KEYS, text, now)
  } catch (error) {
    log('error', 'return_ticket', { requestId, error: faultText(error) })
    return null
  }
}
