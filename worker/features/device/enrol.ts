import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { deviceApi } from '#contract/device/index.ts'
import { activationHash } from '#security/activation.ts'
import type { Ctx } from '#http/context.ts'
import { timingSafeEqual } from '#security/secrets.ts'
import { pinKey } from './sql.ts'
import { ENROL_GUARD } from '#contract/device/limits.ts'

/**
 * Pins the device's key to its serial, once; the same key with the right code may come again. Only wrong codes count, and
 * against the address alone: a right one always passes, so that nobody can keep a device out by its serial.
 */
export async function enrolDevice(ctx: Ctx, input: Parsed<typeof deviceApi.enrol>): Promise<void> {
  const serial = input.serial.toUpperCase()
  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, input.activation_code)
  const { kty, crv, x } = input.public_key
  const key = JSON.stringify({ kty, crv, x })
  const { device, failures } = await pinKey(ctx.db, { serial, hash, key }, ctx.ipBlock, ctx.now)
  if (!device || !timingSafeEqual(device.activationHash, hash)) {
    if (!failures || failures.count < ENROL_GUARD.perAddress) return refuse('DEVICE_UNKNOWN')
    return refuse('TOO_OFTEN', { retry_after: Math.ceil((failures.windowEnd - ctx.now) / 1000) })
  }
  if (device.publicKey !== key) refuse('DEVICE_KEY_PINNED')
}
