import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { ServiceKind } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { accounts, services } from '../../db/schema/accounts.ts'
import { devices, routers } from '../../db/schema/members.ts'
import { messages } from '../../db/schema/notices.ts'

export const accountNamed = (db: Db, username: string) =>
  db
    .select({ id: accounts.id, ramDomain: accounts.ramDomain, status: accounts.status })
    .from(accounts)
    .where(eq(accounts.username, username))

export const setAccountStatus = (db: Db, accountId: number, status: 0 | 1) =>
  db.update(accounts).set({ status }).where(eq(accounts.id, accountId))

interface ServiceRow {
  readonly accountId: number
  readonly kind: ServiceKind
  readonly name: string
  readonly quantity: number
  readonly startAt: number
  readonly expireAt: number
}

/** A service is known by kind and name: set again, it is renewed instead of added. */
export const setService = (db: Db, { accountId, kind, name, quantity, startAt, expireAt }: ServiceRow) =>
  [
    db
      .update(services)
      .set({ quantity, startAt, expireAt })
      .where(isService(accountId, kind, name)),
    db.run(sql`
      insert into services (account_id, kind, name, quantity, start_at, expire_at)
      select ${accountId}, ${kind}, ${name}, ${quantity}, ${startAt}, ${expireAt}
      where not exists (select 1 from services where account_id = ${accountId} and kind = ${kind} and name = ${name})`),
    db
      .select({ id: services.id })
      .from(services)
      .where(isService(accountId, kind, name)),
  ] as const

const isService = (accountId: number, kind: ServiceKind, name: string) =>
  and(eq(services.accountId, accountId), eq(services.kind, kind), eq(services.name, name))

export const insertDevice = (db: Db, row: typeof devices.$inferInsert) => db.insert(devices).values(row)

export const isDevice = (serial: string): SQL => sql`exists (select 1 from devices where serial = ${serial})`

/** Forgets the pinned key; the serial as it is stored comes back, or no row. */
export const resetDevice = (db: Db, serial: string, activationHash: string) =>
  db
    .update(devices)
    .set({ activationHash, publicKey: null, keyAt: null })
    .where(eq(devices.serial, serial))
    .returning({ serial: devices.serial })

export const insertMessage = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).returning({ id: messages.id })

/** The member that a device was claimed as, if it was. */
export const routerOfDevice = (db: Db, serial: string) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .innerJoin(devices, eq(devices.id, routers.deviceId))
    .where(eq(devices.serial, serial))
