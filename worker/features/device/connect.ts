import { refuse } from '#contract/kernel/errors.ts'
import type { deviceApi } from '#contract/device/index.ts'
import { CONNECT_GUARD, ENROL_GUARD } from '#contract/device/limits.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { DeviceIdentity, HubName } from '#contract/kernel/hubs.ts'
import { HUB_HOLD } from '#contract/kernel/hub-limits.ts'
import { reportMissing } from '#db/missing-rows.ts'
import { type AddressGuard, countWrong } from '#db/wrong-attempts.ts'
import { requireWithinLimit } from '#http/call-limit.ts'
import type { Ctx } from '#http/context.ts'
import { log } from '#http/log.ts'
import { activationHash, keyFingerprint, pinnedKey } from '#security/device-secrets.ts'
import { seenAddress } from '#domain/router/relays.ts'
import { timingSafeEqual } from '#security/secrets.ts'
import { parseIssuer, verifyDeviceToken } from './device-token.ts'
import { selectDevice, pinKey } from './sql.ts'

/* Enrolment of a device (it registers its key), and the check of the token with which it connects. */

/**
 * Pins the device's key to its serial, once; the same key with the right code is accepted again. Only wrong codes count,
 * and only against the address: a right code always passes, so that nobody can lock a device out by its serial.
 */
export async function enrolDevice(ctx: Ctx, input: Parsed<typeof deviceApi.enrol>): Promise<void> {
  const serial = input.serial.toUpperCase()
  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, input.activation_code)
  const key = pinnedKey(input.public_key.x)
  const { device, failures } = await pinKey(ctx.db, { serial, hash, key }, ctx.ipBlock, ctx.now)
  if (!device || !timingSafeEqual(device.activationHash, hash)) {
    if (!failures || failures.count < ENROL_GUARD.perAddress) return refuse('DEVICE_UNKNOWN')
    return refuse('TOO_OFTEN', { retry_after: Math.ceil((failures.windowEnd - ctx.now) / 1000) })
  }
  if (device.publicKey !== key) refuse('DEVICE_KEY_PINNED')
}

/** A valid key that no device has (RFC 8032, 7.1, test 2): tokens for unknown serials are verified with it, and refused. */
const NOBODYS_KEY = pinnedKey('PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw')

/** A device of an account, or one whose router was deleted: that is known by a row, never by a row that is missing. */
type Identified =
  | { readonly isRemoved: true }
  | {
      readonly isRemoved: false
      readonly hub: HubName
      readonly directoryHub: HubName | null
      readonly device: DeviceIdentity
    }

/**
 * Finds the device that signed this token with its pinned key, the hub of its router, and the hub of the account's
 * directory (null if it has none). One round trip. A serial that is unknown or has no key yet costs the same check.
 * While the operator's hold is on, a device without a row waits, unless it was removed since.
 *
 * A call beyond the limit of its address block is refused before that.
 *
 * @param holdsDocument the device says that it runs a configuration: its row is missing, if it has none.
 */
export async function identifyDevice(ctx: Ctx, bearer: string, holdsDocument: boolean): Promise<Identified> {
  const serial = parseIssuer(bearer)
  const isCounted = await requireWithinLimit(ctx, 'connect')
  const found = await selectDevice(ctx.db, serial)
  const { row, removal } = found
  if (isHeld(found)) return refuse('DEVICES_HELD', { retry_after: HUB_HOLD.retryAfterS })
  // The key of a forgotten device may be unknown. Whoever shows its serial learns no more than that it was removed.
  if (row === null && removal !== null) return { isRemoved: true }
  const proof = await verifyDeviceToken(bearer, serial, row?.publicKey ?? NOBODYS_KEY, ctx.now)
  if (!row?.publicKey || proof === null) return isCounted ? refuse('DEVICE_REJECTED') : countToken(ctx)
  const { hub, directoryHub, accountId, deviceId, routerName, status, publicKey } = row
  if (hub === null || accountId === null || routerName === null) {
    return isRemovedKey(removal, publicKey) ? { isRemoved: true } : refuseUnbound(ctx, serial, holdsDocument)
  }
  if (status !== 1) return refuse('DEVICE_DISABLED')
  const origin = { remoteHost: remoteHostOf(ctx), remotePort: 0 }
  const names = { accountId, deviceId, routerName, serial }
  const device: DeviceIdentity = { ...names, keyFingerprint: keyFingerprint(publicKey), ...origin, ...proof }
  return { isRemoved: false, hub, directoryHub, device }
}

type LoadedDevice = Awaited<ReturnType<typeof selectDevice>>

/** True for a device without a row during a hold, unless it was removed since: an earlier removal may be out of date. */
function isHeld({ row, removal, hold }: LoadedDevice): boolean {
  const isBound = row !== null && row.hub !== null
  return hold !== null && !isBound && (removal?.removedAt ?? 0) < hold.since
}

/** A device with another key than the removed one is a new one. */
const isRemovedKey = (removal: LoadedDevice['removal'], publicKey: string): boolean =>
  removal !== null && (removal.publicKey === null || removal.publicKey === publicKey)

/** Nobody has claimed the device yet, or its row is missing; only the device knows which. */
async function refuseUnbound({ db, now, requestId }: Ctx, serial: string, holdsDocument: boolean): Promise<never> {
  if (holdsDocument && (await reportMissing(db, { kind: 'device', name: serial, serial }, { now, runId: requestId })))
    log('error', 'hub_hold', { requestId, by: serial })
  return refuse('DEVICE_UNBOUND')
}

const GUARD: AddressGuard = { name: 'device', ...CONNECT_GUARD }

/** Address that a device connects from, as far as no relay hides it. */
export const remoteHostOf = (ctx: Pick<Ctx, 'env' | 'ip' | 'hostname'>): string =>
  seenAddress(ctx, ctx.env.DEVICE_ENTRIES, ctx.env.DEVICE_RELAYS)

/** Counts a refused token where the platform has not counted the call, whose limit is far below this one. */
async function countToken({ db, now, ...origin }: Ctx): Promise<never> {
  const retry_after = await countWrong(db, GUARD, origin, now)
  return retry_after > 0 ? refuse('TOO_OFTEN', { retry_after }) : refuse('DEVICE_REJECTED')
}
