import { and, asc, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { routerScope } from '#db/scope.ts'
import { type RouterKey, isRouterNamed, updateRouter } from './routers.ts'

/* Statements on software members: password, export, and passwords that wait for their hash. */

export const selectSoftwareMember = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      routerType: routers.routerType,
      source: routers.source,
      areaCode: routers.areaCode,
      phone: routers.phone,
      accountPhone: as(accounts.phone, 'account_phone'),
      accountEmail: accounts.email,
    })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .where(isRouterNamed(db, scope, name))

/** Sets a password. A sealed one that waits for its hash becomes void, and so do sessions of the former password. */
export const updatePassword = (db: Db, member: RouterKey, password: string) =>
  updateRouter(db, member, { password, passwordSealed: null, credentialVersion: sql`${routers.credentialVersion} + 1` })

const isExported = (db: Db, scope: Scope) => and(routerScope(db, scope), eq(routers.routerType, ROUTER_TYPE.software))

export const selectExportCount = (db: Db, scope: Scope) =>
  db.all<[number]>(sql`select count(*) from ${routers} where ${isExported(db, scope)}`)

/** Software members in the caller's scope with ids below this one, newest first. */
export const selectExportRows = (db: Db, scope: Scope, beforeId: number | null, limit: number) =>
  db
    .select({
      id: routers.id,
      name: routers.name,
      areaCode: routers.areaCode,
      phone: routers.phone,
      note: routers.note,
    })
    .from(routers)
    .where(and(isExported(db, scope), beforeId === null ? undefined : lt(routers.id, beforeId)))
    .orderBy(desc(routers.id))
    .limit(limit)

export const selectSealedPasswords = (db: Db, limit: number) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      hub: routers.hub,
      sealed: sql<string>`${routers.passwordSealed}`.as('sealed'),
    })
    .from(routers)
    .where(isNotNull(routers.passwordSealed))
    .orderBy(asc(routers.id))
    .limit(limit)

/** Saves hashes in place of sealed texts, unless the password was changed meanwhile. */
export const saveHashes = (
  db: Db,
  hashes: readonly {
    readonly id: number
    readonly accountId: number
    readonly sealed: string
    readonly hash: string
  }[],
) =>
  db.run(sql`
    update routers set password = h.value ->> 'hash', password_sealed = null
    from json_each(${JSON.stringify(hashes.map(({ id, accountId, sealed, hash }) => ({ id, accountId, sealed, hash })))}) h
    where routers.id = h.value ->> 'id' and routers.account_id = h.value ->> 'accountId'
      and routers.password_sealed = h.value ->> 'sealed'`)
