import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { ENROL_GUARD } from '../../contract/limits.ts'
import { as } from '../../db/columns.ts'
import type { Db } from '../../db/client.ts'
import { attempts } from '../../db/schema/accounts.ts'
import { devices, routers } from '../../db/schema/members.ts'
import { recordAttempt } from '../../db/rate-limit.ts'

const WINDOW_MS = ENROL_GUARD.windowMinutes * 60_000

/** A device by its serial with the member it is claimed as, if any. */
export async function selectDevice(db: Db, serial: string) {
  const [row] = await db
    .select({
      deviceId: as(devices.id, 'device_id'),
      serial: devices.serial,
      publicKey: devices.publicKey,
      hub: routers.hub,
      accountId: routers.accountId,
      routerName: routers.name,
      status: routers.status,
    })
    .from(devices)
    .leftJoin(routers, eq(routers.deviceId, devices.id))
    .where(eq(devices.serial, serial))
  return row ?? null
}

/** Keys of the counters that guard an enrolment. */
interface EnrolKeys {
  readonly serial: string
  readonly address: string
}
interface Counter {
  readonly count: number
  readonly windowEnd: number
}

/** Counts one try at the serial, this one included, and reads the failures of the address. */
export async function beginEnrolment(
  db: Db,
  keys: EnrolKeys,
  now: number,
): Promise<{ tries: Counter; failures: Counter }> {
  const [[tries], [failures]] = await db.batch([
    recordAttempt(db, keys.serial, WINDOW_MS, now),
    db
      .select({ count: attempts.count, windowEnd: attempts.windowEnd })
      .from(attempts)
      .where(and(eq(attempts.key, keys.address), gt(attempts.windowEnd, now))),
  ])
  const none = { count: 0, windowEnd: now }
  return { tries: tries ? { count: tries[0], windowEnd: tries[1] } : none, failures: failures ?? none }
}

/**
 * Pins a key where none is and the code is right; answers what stands afterwards. In the same round trip a wrong code
 * counts against the address, and a right one resets the attempts at the serial.
 */
export async function pinKey(
  db: Db,
  { serial, hash, key, keys }: { serial: string; hash: string; key: string; keys: EnrolKeys },
  now: number,
) {
  const isRight = sql`exists (select 1 from ${devices} where serial = ${serial} and activation_hash = ${hash})`
  const [, , , [row]] = await db.batch([
    db
      .update(devices)
      .set({ publicKey: key, keyAt: now })
      .where(and(eq(devices.serial, serial), eq(devices.activationHash, hash), isNull(devices.publicKey))),
    recordAttempt(db, keys.address, WINDOW_MS, now, sql`not ${isRight}`),
    db.delete(attempts).where(and(eq(attempts.key, keys.serial), isRight)),
    db
      .select({ publicKey: devices.publicKey, activationHash: devices.activationHash })
      .from(devices)
      .where(eq(devices.serial, serial)),
  ])
  return row ?? null
}
