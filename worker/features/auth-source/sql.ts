import { type SQL, and, eq, sql, asc } from 'drizzle-orm'
import { AUTH_LOGIN, AUTH_SOURCE } from '#contract/auth-source/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { type Origin, hasWideBlock } from '#features/verify/sql/failures.ts'
import { guard } from '#db/guard.ts'
import { guardRate } from '#db/rate-limit.ts'
import { accounts } from '#db/schema/accounts.ts'
import { authBindings, authRequests, authSourceCodes, authSources } from '#db/schema/auth-sources.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import type { OutboxContext } from '#db/hub-outbox.ts'
import { refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'

/* Statements on authentication sources, their source IDs, and the sign-ins and bindings through them. */

export const guardAuthSources = (db: Db, accountId: number) =>
  guard(
    db,
    sql`exists (select 1 from accounts where id = ${accountId} and software_auth_source = 1)`,
    violation('AUTH_SOURCE_OFF'),
  )

/** Rate limits by address, for the first batch of calls that need no session. */
export const guardStarts = (db: Db, origin: Origin, now: number) => ({
  byAddress: guardRate(db, `auth_source:${origin.ipBlock}`, AUTH_LOGIN.rate, now),
  byWideBlock: hasWideBlock(origin) && guardRate(db, `auth_source:${origin.ipWideBlock}`, AUTH_LOGIN.wideRate, now),
})

const isOwnSource = (accountId: number, id: number) => and(eq(authSources.accountId, accountId), eq(authSources.id, id))

/** Account with the source ID; no row for an unknown ID. */
export const selectCodeOwner = (db: Db, code: string) =>
  db
    .select({ status: accounts.status, host: accounts.host, isOn: accounts.softwareAuthSource })
    .from(authSourceCodes)
    .innerJoin(accounts, eq(accounts.id, authSourceCodes.accountId))
    .where(eq(authSourceCodes.code, code))

/** WeCom's file of a customer's own domain; no row for any other host. */
export const selectOwnDomain = (db: Db, hostname: string) =>
  db
    .select({ fileName: authSources.fileName, fileContent: authSources.fileContent })
    .from(authSources)
    .where(and(eq(authSources.authDomain, hostname), sql`${authSources.authDomain} <> ''`)) // for the partial index

const openedBy = (accountId: number, sourceIds: SQL): SQL =>
  sql`account_id = ${accountId} and auth_source_id in (${sourceIds}) and ended_at is null`

/**
 * Ends sign-ins and sessions through these sources (`sourceIds` selects ids), in the batch of the change. The new
 * credential version cuts the members' tunnels at centres and nodes; waiting clients get the reason.
 */
export function endSignInsOfSources(
  ctx: OutboxContext,
  accountId: number,
  sourceIds: SQL,
  { key, params }: Violation = violation('AUTH_SOURCE_UNAVAILABLE'),
) {
  const { db, now } = ctx
  const members = sql`select router_id from client_sessions where ${openedBy(accountId, sourceIds)}`
  return {
    credentials: db
      .update(routers)
      .set({ credentialVersion: sql`${routers.credentialVersion} + 1` })
      .where(and(eq(routers.accountId, accountId), sql`${routers.id} in (${members})`)),
    servers: refreshSoftwareServers(ctx, members),
    sessions: db.update(clientSessions).set({ endedAt: now }).where(openedBy(accountId, sourceIds)),
    requests: db
      .update(authRequests)
      .set({ step: 'refused', reason: JSON.stringify({ key, params }) })
      .where(
        and(
          eq(authRequests.accountId, accountId),
          sql`${authRequests.sourceId} in (${sourceIds}) and ${authRequests.step} not in ('refused', 'done')`,
        ),
      ),
  }
}

export const endSignInsOfSource = (ctx: OutboxContext, accountId: number, sourceId: number) =>
  endSignInsOfSources(ctx, accountId, sql`${sourceId}`)

export const sourcesOf = (accountId: number): SQL => sql`select id from auth_sources where account_id = ${accountId}`

/** Deletes sign-ins that are under way, because they began with the former values of the source. */
export const deleteRequestsOfSource = (db: Db, accountId: number, sourceId: number) =>
  db.delete(authRequests).where(and(eq(authRequests.accountId, accountId), eq(authRequests.sourceId, sourceId)))

export const deleteBindingsOfSource = (db: Db, accountId: number, sourceId: number) =>
  db.delete(authBindings).where(and(eq(authBindings.accountId, accountId), eq(authBindings.sourceId, sourceId)))

/** Deletes the rows of deleted members, because their ids are used again. */
export const deleteAuthRows = (db: Db, accountId: number, routerIds: readonly number[]) => ({
  bindings: db
    .delete(authBindings)
    .where(and(eq(authBindings.accountId, accountId), isOneOf(authBindings.routerId, routerIds))),
  authRequests: db
    .delete(authRequests)
    .where(and(eq(authRequests.accountId, accountId), isOneOf(authRequests.routerId, routerIds))),
})

/** Inserts the account's source ID, unless it has one already or another account has this one. */
export const insertCode = (db: Db, accountId: number, code: string, now: number) =>
  db.insert(authSourceCodes).values({ accountId, code, createdAt: now }).onConflictDoNothing()

export const selectCode = (db: Db, accountId: number) =>
  db.select({ code: authSourceCodes.code }).from(authSourceCodes).where(eq(authSourceCodes.accountId, accountId))

export const selectSources = (db: Db, accountId: number) =>
  db
    .select()
    .from(authSources)
    .where(eq(authSources.accountId, accountId))
    .orderBy(asc(authSources.createdAt), asc(authSources.id))

export type StoredSource = Awaited<ReturnType<typeof selectSources>>[number]

export const selectSource = (db: Db, accountId: number, id: number) =>
  db.select().from(authSources).where(isOwnSource(accountId, id))

export const insertSource = (db: Db, row: typeof authSources.$inferInsert) => db.insert(authSources).values(row)

export const guardQuota = (db: Db, accountId: number) =>
  guard(
    db,
    sql`(select count(*) from auth_sources where account_id = ${accountId}) < ${AUTH_SOURCE.max}`,
    violation('AUTH_SOURCE_LIMIT_REACHED', { limit: AUTH_SOURCE.max }),
  )

export const guardUnchanged = (db: Db, { accountId, id, updatedAt, status }: StoredSource) =>
  guard(
    db,
    sql`exists (select 1 from auth_sources where account_id = ${accountId} and id = ${id}
      and updated_at = ${updatedAt} and status = ${status})`,
    violation('AUTH_SOURCE_CHANGED'),
  )

type Changes = Partial<Omit<typeof authSources.$inferInsert, 'id' | 'accountId' | 'type' | 'createdAt' | 'updatedAt'>>

/** `updated_at` grows with every change, also with two in one millisecond. */
export const updateSource = (db: Db, accountId: number, id: number, changes: Changes, now: number) =>
  db
    .update(authSources)
    .set({ ...changes, updatedAt: sql`max(${authSources.updatedAt} + 1, ${now})` as SQL<number> as never })
    .where(isOwnSource(accountId, id))

export const deleteSource = (db: Db, accountId: number, id: number) =>
  db.delete(authSources).where(isOwnSource(accountId, id))
