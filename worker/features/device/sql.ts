import { and, eq, isNull, sql } from 'drizzle-orm'
import { ENROL_GUARD } from '#contract/device/limits.ts'
import { batch } from '#db/batch.ts'
import { as, idList } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { ldapHubs } from '#db/schema/ldap.ts'
import { devices, removedDevices, routers } from '#db/schema/routers.ts'
import { selectHold } from '#db/missing-rows.ts'
import { attemptCount, recordAttempt, selectAttempts } from '#db/rate-limit.ts'

/* Statements on devices: finding one by its serial, records of removals, and pinning its key. */

const WINDOW_MS = ENROL_GUARD.windowMinutes * 60_000

/**
 * Device by its serial, with its member if it is claimed, and the hub of that account's directory; the row of its removal,
 * and the operator's hold. One round trip.
 */
export async function selectDevice(db: Db, serial: string) {
  const found = await batch(db, {
    devices: db
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
      .where(eq(devices.serial, serial)),
    removals: db.select().from(removedDevices).where(eq(removedDevices.serial, serial)),
    holds: selectHold(db),
  })
  return { row: found.devices[0] ?? null, removal: found.removals[0] ?? null, hold: found.holds[0] ?? null }
}

/**
 * Records the removal of the devices of these routers, in the batch that deletes or replaces them. Put it in front of the
 * statement that changes their rows.
 */
export const insertRemovals = (db: Db, accountId: number, routerIds: readonly number[], now: number) =>
  db.run(sql`
    insert into removed_devices (serial, public_key, removed_at)
    select d.serial, d.public_key, ${now} from routers r join devices d on d.id = r.device_id
    where r.account_id = ${accountId} and r.id in (${idList(routerIds)})
    on conflict (serial) do update set public_key = excluded.public_key, removed_at = excluded.removed_at`)

/** Ends the removal of a device that is claimed again. */
export const deleteRemoval = (db: Db, serial: string) =>
  db.delete(removedDevices).where(eq(removedDevices.serial, serial))

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
      .set({ publicKey: key, keyAt: now, resetAt: null })
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
