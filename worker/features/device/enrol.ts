import { refuse } from '../../contract/errors.ts'
import type { Parsed } from '../../contract/endpoint.ts'
import type { deviceApi } from '../../contract/device.ts'
import { ENROL_GUARD } from '../../contract/limits.ts'
import { activationHash } from '../../security/activation.ts'
import type { Ctx } from '../../http/context.ts'
import { timingSafeEqual } from '../../security/secrets.ts'
import { beginEnrolment, pinKey } from './queries.ts'

/**
 * Pins the device's key to its serial, once; the same key with the right code may come again. An attempt at a serial counts
 * before it is made, so that parallel ones gain nothing. For an address only wrong codes count: all routers of a company
 * may be behind one.
 */
export async function enrolDevice(ctx: Ctx, input: Parsed<typeof deviceApi.enrol>): Promise<void> {
  const serial = input.serial.toUpperCase()
  const keys = { serial: `enrol:${serial}`, address: `enrol-ip:${ctx.ipBlock}` }
  const { tries, failures } = await beginEnrolment(ctx.db, keys, ctx.now)
  const over = tries.count > ENROL_GUARD.perSerial ? tries : failures.count >= ENROL_GUARD.perAddress ? failures : null
  if (over) refuse('TOO_OFTEN', { retry_after: Math.ceil((over.windowEnd - ctx.now) / 1000) })

  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, input.activation_code)
  const { kty, crv, x } = input.public_key
  const key = JSON.stringify({ kty, crv, x })
  const device = await pinKey(ctx.db, { serial, hash, key, keys }, ctx.now)
  if (!device || !timingSafeEqual(device.activationHash, hash)) return refuse('DEVICE_UNKNOWN')
  if (device.publicKey !== key) refuse('DEVICE_KEY_PINNED')
}
