import { type SQL, and, asc, eq, gt, sql, isNotNull } from 'drizzle-orm'
import type { HubKind } from '#contract/kernel/hubs.ts'
import type { ServiceKind } from '#contract/account/services.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { accounts, ramRoles, services, tokenLinks } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/monitor.ts'
import { devices, routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'

/* Operator's statements on accounts, contacts, services, devices, token links, roles and hubs. */

export const selectVerifiedContact = (db: Db, username: string, email: string) =>
  db
    .select({
      accountId: contacts.accountId,
      uuid: contacts.uuid,
      name: contacts.name,
      expiresAt: contacts.expiresAt,
      hub: accounts.hub,
    })
    .from(contacts)
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(and(eq(accounts.username, username), eq(contacts.email, email), isNotNull(contacts.verifiedAt)))

export const updateContactExpiry = (
  db: Db,
  accountId: number,
  uuid: string,
  set: { readonly verifiedAt: number; readonly expiresAt: number; readonly warnAt: number },
) =>
  db
    .update(contacts)
    .set(set)
    .where(and(eq(contacts.accountId, accountId), eq(contacts.uuid, uuid), isNotNull(contacts.verifiedAt)))

/** An account that is being erased is not found. */
export const selectAccount = (db: Db, username: string) =>
  db
    .select({
      id: accounts.id,
      hub: accounts.hub,
      ramDomain: accounts.ramDomain,
      status: accounts.status,
      dnsQuantity: accounts.dnsQuantity,
      host: accounts.host,
      features: {
        quagga: accounts.quagga,
        quagga_advanced: accounts.quaggaAdvanced,
        default_route: accounts.defaultRoute,
        software_auth_source: accounts.softwareAuthSource,
      },
    })
    .from(accounts)
    .where(and(eq(accounts.username, username), sql`${accounts.id} not in (select account_id from account_erasures)`))

export const updateAccountStatus = (db: Db, accountId: number, status: 0 | 1) =>
  db.update(accounts).set({ status }).where(eq(accounts.id, accountId))

export const softwareIds = (accountId: number): SQL =>
  sql`select id from routers where account_id = ${accountId} and router_type = ${ROUTER_TYPE.software}`

export const updateFeatures = (
  db: Db,
  accountId: number,
  set: Partial<
    Pick<
      typeof accounts.$inferInsert,
      'quagga' | 'quaggaAdvanced' | 'defaultRoute' | 'softwareAuthSource' | 'dnsQuantity' | 'host'
    >
  >,
) => db.update(accounts).set(set).where(eq(accounts.id, accountId))

type ServiceRow = Omit<typeof services.$inferInsert, 'id' | 'warnAt'>

export const updateService = (db: Db, { accountId, kind, name, quantity, startAt, expireAt }: ServiceRow) =>
  db
    .update(services)
    .set({ quantity, startAt, expireAt, warnAt: 0 })
    .where(isService(accountId, kind, name))

/** Inserts a service if it is new; runs after `updateService`. */
export const insertServiceIfNew = (db: Db, { accountId, kind, name, quantity, startAt, expireAt }: ServiceRow) =>
  db.run(sql`
    insert into services (account_id, kind, name, quantity, start_at, expire_at)
    select ${accountId}, ${kind}, ${name}, ${quantity}, ${startAt}, ${expireAt}
    where not exists (select 1 from services where account_id = ${accountId} and kind = ${kind} and name = ${name})`)

export const selectService = (db: Db, accountId: number, kind: ServiceKind, name: string) =>
  db
    .select({ id: services.id })
    .from(services)
    .where(isService(accountId, kind, name))

const isService = (accountId: number, kind: ServiceKind, name: string) =>
  and(eq(services.accountId, accountId), eq(services.kind, kind), eq(services.name, name))

export const insertDevice = (db: Db, row: typeof devices.$inferInsert) => db.insert(devices).values(row)

export const selectDevice = (db: Db, serial: string) =>
  db
    .select({
      id: devices.id,
      serial: devices.serial,
      hub: routers.hub,
      routerId: sql<number | null>`${routers.id}`.as('router_id'),
      accountId: routers.accountId,
    })
    .from(devices)
    .leftJoin(routers, eq(routers.deviceId, devices.id))
    .where(eq(devices.serial, serial))

export const resetDevice = (db: Db, id: number, activationHash: string, now: number) =>
  db.update(devices).set({ activationHash, publicKey: null, keyAt: null, resetAt: now }).where(eq(devices.id, id))

export const insertTokenLink = (db: Db, row: typeof tokenLinks.$inferInsert) => db.insert(tokenLinks).values(row)

export const selectRole = (db: Db, username: string, name: string) =>
  db
    .select({
      id: ramRoles.id,
      accountId: ramRoles.accountId,
      hub: accounts.hub,
      flags: ramRoles.flags,
      networks: ramRoles.networks,
    })
    .from(ramRoles)
    .innerJoin(accounts, eq(accounts.id, ramRoles.accountId))
    .where(and(eq(accounts.username, username), eq(ramRoles.name, name)))

/** Id of a role that the same batch inserts. */
export const roleIdSql = (accountId: number, name: string): SQL =>
  sql`(select id from ram_roles where account_id = ${accountId} and name = ${name})`

const HUB_TABLE = { router: routers, network: networks, account: accounts } as const

/** Hubs of one kind after a row, in the order of rows. */
export function selectHubs(db: Db, kind: HubKind, afterId: number, limit: number) {
  const { id, hub } = HUB_TABLE[kind]
  return db.select({ id, hub }).from(HUB_TABLE[kind]).where(gt(id, afterId)).orderBy(asc(id)).limit(limit)
}
