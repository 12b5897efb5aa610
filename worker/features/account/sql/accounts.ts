import { type SQL, eq, sql, and, desc, lte, ne, or } from 'drizzle-orm'
import { CLIENT } from '#contract/client/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { accounts, services } from '#db/schema/accounts.ts'
import { oldSigns } from '#db/schema/clients.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { selectMembersWith } from '#features/network/sql/members.ts'

/* Statements on accounts: suffix, services, contacts, features, taken names, password, and the insert. */

/** Guard: no other account has had this suffix so lately that its members can still sign in with it. */
export const guardSignUnclaimed = (db: Db, accountId: number, sign: string, now: number) =>
  guard(
    db,
    sql`not exists (select 1 from old_signs where sign = ${sign} and account_id <> ${accountId} and expires_at > ${now})`,
    violation('SIGN_TAKEN'),
  )

/** Keeps the previous suffix for a while, and only the latest ones of each account. */
export function keepOldSign(db: Db, accountId: number, before: string | null, sign: string, now: number) {
  const expiresAt = now + CLIENT.oldSignDays * 86_400_000
  return {
    // Frees the new suffix, and the previous one if another account kept it too long.
    reused: db
      .delete(oldSigns)
      .where(
        or(
          and(eq(oldSigns.accountId, accountId), eq(oldSigns.sign, sign)),
          and(ne(oldSigns.accountId, accountId), eq(oldSigns.sign, before ?? ''), lte(oldSigns.expiresAt, now)),
        ),
      ),
    old:
      before !== null &&
      db
        .insert(oldSigns)
        .values({ accountId, sign: before, expiresAt })
        .onConflictDoUpdate({ target: oldSigns.sign, set: { expiresAt } }),
    oldest: db.delete(oldSigns).where(
      and(
        eq(oldSigns.accountId, accountId),
        sql`${oldSigns.id} not in (select id from old_signs where account_id = ${accountId}
            order by expires_at desc, id desc limit ${CLIENT.oldSignsMax})`,
      ),
    ),
  }
}

export const selectServices = (db: Db, accountId: number) =>
  db
    .select({
      kind: services.kind,
      name: services.name,
      quantity: services.quantity,
      startAt: services.startAt,
      expireAt: services.expireAt,
    })
    .from(services)
    .where(eq(services.accountId, accountId))
    .orderBy(desc(services.id))

export const selectSign = (db: Db, accountId: number) =>
  db.select({ sign: accounts.sign }).from(accounts).where(eq(accounts.id, accountId))

export const selectNetworkRevisions = (db: Db, accountId: number) =>
  db
    .select({ id: networks.id, revision: networks.revision, hub: networks.hub })
    .from(networks)
    .where(eq(networks.accountId, accountId))

/** All members of each network of the account that contains a software member. */
export const selectSoftwareNetworkMembers = (db: Db, accountId: number) =>
  selectMembersWith(db, accountId, sql`r.router_type = ${ROUTER_TYPE.software}`)

export const selectSoftware = (db: Db, accountId: number) =>
  db
    .select({ id: routers.id })
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software)))

export const updateAccount = (db: Db, accountId: number, columns: Partial<Omit<typeof accounts.$inferInsert, 'id'>>) =>
  db.update(accounts).set(columns).where(eq(accounts.id, accountId))

/** `name@old` becomes `name@new` for every software member. */
export const renameSoftware = (db: Db, accountId: number, sign: string) =>
  db
    .update(routers)
    .set({ name: sql`substr(${routers.name}, 1, instr(${routers.name}, '@')) || ${sign}` })
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software)))

/** Name of the account's hub. Hubs of its routers and networks are made in the same place. */
export const selectAccountHub = (db: Db, accountId: number) =>
  db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))

export const selectContacts = (db: Db, accountId: number) =>
  db
    .select({ areaCode: accounts.areaCode, phone: accounts.phone, email: accounts.email })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** Host of the account, '' for the main one (`hostOfAccount` in domain/site/brand.ts). */
export const selectAccountHost = (db: Db, accountId: number) =>
  db.select({ host: accounts.host }).from(accounts).where(eq(accounts.id, accountId))

/** Flags and quantities of an account for the settings of its networks, with the name of its hub. */
export const selectFeatures = (db: Db, accountId: number) =>
  db
    .select({
      hub: accounts.hub,
      quagga: accounts.quagga,
      quaggaAdvanced: accounts.quaggaAdvanced,
      defaultRoute: accounts.defaultRoute,
      dnsQuantity: accounts.dnsQuantity,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))

/** Number of the next account. That of an erased one never comes again: the service's own records still name it. */
const nextAccountId = sql<number>`(select 1 + max(coalesce((select max(id) from accounts), 0),
  coalesce((select max(account_id) from account_erasures), 0)))`

/** The user name is also the suffix of the sub-accounts: `name@username`. */
export const insertAccount = (
  db: Db,
  row: Omit<typeof accounts.$inferInsert, 'ramDomain' | 'hub'> & { readonly hub: string },
) =>
  db
    .insert(accounts)
    .values({ id: nextAccountId as never, ...row, ramDomain: row.username }) // drizzle takes SQL for every value
    .returning({ id: accounts.id })

type ServiceOfNew = Omit<typeof services.$inferInsert, 'id' | 'accountId'>

/** Service of an account that the same batch inserts. */
export const insertServiceOfNew = (db: Db, username: string, row: ServiceOfNew) =>
  db.insert(services).values({ ...row, accountId: accountIdSql(username) as never }) // drizzle takes SQL for every value

/** The id of an account that the same batch inserts. */
export const accountIdSql = (username: string): SQL => sql`(select id from accounts where username = ${username})`

/** Refusals of a taken user name, for `mapUniqueViolation`. */
export const USERNAME_TAKEN = {
  'accounts.username': violation('USERNAME_TAKEN'),
  'accounts.ram_domain': violation('USERNAME_TAKEN'),
}

/** Key of its account holder (domain/account/user.ts `personKey`). */
export const accountPersonSql = (username: string): SQL => sql`('main:' || ${accountIdSql(username)})`

interface AccountNames {
  readonly username: string
  readonly areaCode?: string | undefined
  readonly phone?: string | null | undefined
  readonly email?: string | null | undefined
  readonly sign?: string | null | undefined
}

/**
 * Columns whose value another account has, named as for `mapUniqueViolation`. Asked before a password is hashed; the unique
 * indexes decide between parallel calls.
 */
export const selectTaken = (db: Db, { username, areaCode, phone, email, sign }: AccountNames) =>
  db.all<[string]>(sql`
    select 'accounts.username' where exists (select 1 from accounts where username = ${username} or ram_domain = ${username})
    union all select 'accounts.area_code' where exists (
      select 1 from accounts where area_code = ${areaCode ?? null} and phone = ${phone ?? null})
    union all select 'accounts.email' where exists (select 1 from accounts where email = ${email ?? null})
    union all select 'accounts.sign' where exists (select 1 from accounts where sign = ${sign ?? null})`)

export const checkTaken = (
  [first]: readonly (readonly [string])[],
  refusals: Readonly<Record<string, Violation>>,
): Violation | null => refusals[first?.[0] ?? ''] ?? null
