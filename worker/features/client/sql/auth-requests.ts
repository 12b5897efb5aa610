import { and, eq, gt, sql } from 'drizzle-orm'
import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import type { VendorIdentity } from '#contract/auth-source/vendor.ts'
import { violation } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { accounts } from '#db/schema/accounts.ts'
import { authBindings, authRequests, authSourceCodes, authSources } from '#db/schema/auth-sources.ts'
import { routers } from '#db/schema/routers.ts'
import type { MatchedPhone } from '#domain/auth-source/match.ts'

/* Statements on clients' sign-ins through authentication sources, and on the bindings of people to members. */

const sourceColumns = {
  type: authSources.type,
  name: authSources.name,
  appId: authSources.appId,
  agentId: authSources.agentId,
  corpId: authSources.corpId,
  authDomain: authSources.authDomain,
}

/** One row for each enabled source of the account with this source ID; one row without a source if it has none. */
export const selectSourcesByCode = (db: Db, code: string) =>
  db
    .select({
      accountId: authSourceCodes.accountId,
      host: accounts.host,
      isOn: accounts.softwareAuthSource,
      accountStatus: as(accounts.status, 'account_status'),
      sourceId: as(authSources.id, 'source_id'),
      ...sourceColumns,
    })
    .from(authSourceCodes)
    .innerJoin(accounts, eq(accounts.id, authSourceCodes.accountId))
    .leftJoin(authSources, and(eq(authSources.accountId, authSourceCodes.accountId), eq(authSources.status, 1)))
    .where(eq(authSourceCodes.code, code))
    .orderBy(authSources.createdAt, authSources.id)

export const insertRequest = (db: Db, row: typeof authRequests.$inferInsert) => db.insert(authRequests).values(row)

type Step = (typeof authRequests.$inferSelect)['step']

/** Takes a request by its state or confirmation token. Only the first caller gets a row. An exchange has a short term. */
export const claimState = (db: Db, stateHash: string, from: Step, to: Step, now: number) =>
  db
    .update(authRequests)
    .set({
      step: to,
      ...(to === 'exchanging' && { expiresAt: sql`min(${authRequests.expiresAt}, ${now + AUTH_LOGIN.exchangeMs})` }),
    })
    .where(and(eq(authRequests.stateHash, stateHash), eq(authRequests.step, from), gt(authRequests.expiresAt, now)))
    .returning({ id: authRequests.id })

const selectRequest = (db: Db) =>
  db
    .select({
      id: authRequests.id,
      accountId: authRequests.accountId,
      sourceId: authRequests.sourceId,
      challenge: authRequests.challenge,
      redirectUri: authRequests.redirectUri,
      step: authRequests.step,
      userId: authRequests.userId,
      routerId: authRequests.routerId,
      reason: authRequests.reason,
      device: authRequests.device,
      ip: authRequests.ip,
      memberName: as(routers.name, 'member_name'),
      startedAt: as(authRequests.createdAt, 'started_at'),
      expiresAt: authRequests.expiresAt,
      ...sourceColumns,
      secretSealed: authSources.secretSealed,
      tenant: authSources.tenant,
      sourceStatus: as(authSources.status, 'source_status'),
      accountStatus: as(accounts.status, 'account_status'),
      isOn: accounts.softwareAuthSource,
      host: accounts.host,
    })
    .from(authRequests)
    .innerJoin(
      authSources,
      and(eq(authSources.id, authRequests.sourceId), eq(authSources.accountId, authRequests.accountId)),
    )
    .innerJoin(accounts, eq(accounts.id, authRequests.accountId))
    .leftJoin(routers, eq(routers.id, authRequests.routerId))

/** A sign-in that is under way, with its source and its account. */
export type AuthRequest = Awaited<ReturnType<typeof selectRequest>>[number]

export const selectRequestByState = (db: Db, stateHash: string) =>
  selectRequest(db).where(eq(authRequests.stateHash, stateHash))

export const selectRequestById = (db: Db, id: string) => selectRequest(db).where(eq(authRequests.id, id))

const memberColumns = { id: routers.id, name: routers.name, areaCode: routers.areaCode, phone: routers.phone }
const isEnabledOf = (accountId: number) =>
  and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.software), eq(routers.status, 1))

/** Enabled member that the person was bound to earlier, if it still has the phone of that time. */
export const selectBound = (db: Db, { accountId, sourceId }: AuthRequest, { tenant, userId }: VendorIdentity) =>
  db
    .select(memberColumns)
    .from(authBindings)
    .innerJoin(
      routers,
      and(
        eq(routers.id, authBindings.routerId),
        eq(routers.areaCode, authBindings.areaCode),
        eq(routers.phone, authBindings.phone),
      ),
    )
    .where(
      and(
        eq(authBindings.accountId, accountId),
        eq(authBindings.sourceId, sourceId),
        eq(authBindings.tenant, tenant),
        eq(authBindings.userId, userId),
        isEnabledOf(accountId),
      ),
    )

/** Enabled members of the account with the phone; at most two, to tell one from several. */
export const selectByPhone = (db: Db, accountId: number, { areaCode, phone }: MatchedPhone) =>
  db
    .select(memberColumns)
    .from(routers)
    .where(and(isEnabledOf(accountId), eq(routers.areaCode, areaCode), eq(routers.phone, phone)))
    .limit(2)

/** Moves a request to another step and restores its whole term. */
export const updateRequest = (
  db: Db,
  id: string,
  from: Step,
  changes: Partial<Pick<typeof authRequests.$inferInsert, 'step' | 'stateHash' | 'routerId' | 'reason' | 'userId'>>,
) =>
  db
    .update(authRequests)
    .set({ ...changes, expiresAt: sql`${authRequests.createdAt} + ${AUTH_LOGIN.requestMs}` })
    .where(and(eq(authRequests.id, id), eq(authRequests.step, from)))

/** Records the tenant at the first sign-in of a member, and refuses people of another tenant. */
export const recordTenant = (db: Db, { accountId, sourceId }: AuthRequest, tenant: string) => ({
  recorded: db
    .update(authSources)
    .set({ tenant })
    .where(and(eq(authSources.accountId, accountId), eq(authSources.id, sourceId), eq(authSources.tenant, ''))),
  tenant: guard(
    db,
    sql`exists (select 1 from auth_sources where id = ${sourceId} and account_id = ${accountId} and tenant = ${tenant})`,
    violation('AUTH_MEMBER_OUTSIDER'),
  ),
})

/** Saves the binding of a member and a person, in place of earlier ones of both. */
export const saveBinding = (db: Db, row: typeof authBindings.$inferInsert) => ({
  earlier: db.delete(authBindings).where(
    and(
      eq(authBindings.accountId, row.accountId),
      eq(authBindings.sourceId, row.sourceId),
      sql`(${authBindings.routerId} = ${row.routerId}
          or (${authBindings.tenant} = ${row.tenant} and ${authBindings.userId} = ${row.userId}))`,
    ),
  ),
  binding: db.insert(authBindings).values(row),
})

/** Guard: only one of several polls gets the session, and only while source, flag, account and member are all on. */
export const guardMatched = (db: Db, { id, accountId, sourceId }: AuthRequest, routerId: number, now: number) =>
  guard(
    db,
    sql`exists (select 1 from auth_requests q
      join auth_sources s on s.id = q.source_id and s.account_id = q.account_id and s.status = 1
      join accounts a on a.id = q.account_id and a.status = 1 and a.software_auth_source = 1
      join routers r on r.id = q.router_id and r.account_id = q.account_id and r.status = 1
      where q.id = ${id} and q.account_id = ${accountId} and q.source_id = ${sourceId} and q.router_id = ${routerId}
        and q.step = 'matched' and q.expires_at > ${now})`,
    violation('AUTH_REQUEST_BAD'),
  )
