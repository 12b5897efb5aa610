import { and, eq, isNull, sql } from 'drizzle-orm'
import { ENROL_GUARD } from '#contract/device/limits.ts'
import { batch } from '#db/batch.ts'
import { as } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { ldapHubs } from '#db/schema/ldap.ts'
import { devices, routers } from '#db/schema/routers.ts'
import { attemptCount, recordAttempt, selectAttempts } from '#db/rate-limit.ts'

/* Statements on devices: finding one by its serial, and pinning its key. */

const WINDOW_MS = ENROL_GUARD.windowMinutes * 60_000

/** Device by its serial, with its member if it is claimed, and the hub of that account's directory. */
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
      directoryHub: as(ldapHubs.hub, 'directory_hub'),
    })
    .from(devices)
    .leftJoin(routers, eq(routers.deviceId, devices.id))
    .leftJoin(ldapHubs, eq(ldapHubs.accountId, routers.accountId))
    .where(eq(devices.serial, serial))
  return row ?? null
}

type Enrolment = Readonly<Record<'serial' | 'hash' | 'key', string>>

/**
 * Pins a key if there is none yet and the code is right. Answers the stored device, and the number of earlier wrong codes
 * from the address. Beyond the limit a wrong code writes nothing.
 */
export async function pinKey(db: Db, { serial, hash, key }: Enrolment, ipBlock: string, now: number) {
  const counter = `enrol-ip:${ipBlock}`
  const isRight = sql`exists (select 1 from ${devices} where serial = ${serial} and activation_hash = ${hash})`
  const isWrong = sql`not ${isRight} and ${attemptCount(counter, now)} < ${ENROL_GUARD.perAddress}`
  const found = await batch(db, {
    pinned: db
      .update(devices)
      .set({ publicKey: key, keyAt: now })
      .where(and(eq(devices.serial, serial), eq(devices.activationHash, hash), isNull(devices.publicKey))),
    failures: selectAttempts(db, counter, now),
    recorded: recordAttempt(db, counter, WINDOW_MS, now, isWrong),
    devices: db
      .select({ publicKey: devices.publicKey, activationHash: devices.activationHash })
      .from(devices)
      .where(eq(devices.serial, serial)),
  })
  return { device: found.devices[0], failures: found.failures[0] }
}
