import type { Parsed } from '../../contract/endpoint.ts'
import type { deviceApi } from '../../contract/device.ts'
import { ENROL_GUARD } from '../../contract/limits.ts'
import { activationHash } from '../../http/activation.ts'
import { fail } from '../../http/app-error.ts'
import type { Ctx } from '../../http/context.ts'
import { isSame } from '../../http/secrets.ts'
import { countAttempts, pinKey } from './queries.ts'

/** Pins the device's key to its serial, once. The code is tried only within the limits, and counted before it is. */
export async function enrolDevice(ctx: Ctx, input: Parsed<typeof deviceApi.enrol>): Promise<void> {
  const serial = input.serial.toUpperCase()
  const windowEnd = ctx.now + ENROL_GUARD.windowMinutes * 60_000
  const [bySerial, byAddress] = await countAttempts(
    ctx.db,
    [`enrol:${serial}`, `enrol-ip:${ctx.ip}`],
    ctx.now,
    windowEnd,
  )
  const over = [
    bySerial && bySerial.count > ENROL_GUARD.perSerial ? bySerial : null,
    byAddress && byAddress.count > ENROL_GUARD.perAddress ? byAddress : null,
  ].find((counter) => counter !== null)
  if (over) fail('TOO_OFTEN', { retry_after: Math.ceil((over.windowEnd - ctx.now) / 1000) })

  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, input.activation_code)
  const { kty, crv, x } = input.public_key
  const key = JSON.stringify({ kty, crv, x })
  const device = await pinKey(ctx.db, serial, hash, key, ctx.now)
  if (!device || !isSame(device.activationHash, hash)) return fail('DEVICE_UNKNOWN')
  if (device.publicKey !== key) fail('DEVICE_KEY_PINNED')
}
