import { type SQL, and, desc, eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { clientDevice } from '#contract/client/index.ts'
import { CLIENT } from '#contract/client/limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { violation } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { quotaSql } from '#db/quota.ts'
import { accounts } from '#db/schema/accounts.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import type { RamName } from '#domain/account/login-name.ts'

/* Statements on software members that use the client: sign-in records, device facts, guards and sessions. */

export type Device = z.output<typeof clientDevice>

/**
 * Records a sign-in at these members, unless they were deleted meanwhile. Without a member the statement costs the same and
 * writes nothing. `failure` is empty for a success.
 */
export const insertLoginRecords = (
  { db, ip, now }: { readonly db: Db; readonly ip: string; readonly now: number },
  members: readonly Pick<SigningMember, 'id' | 'uid'>[],
  { os, version, sys_brand, sys_model, sys_version }: Device,
  failure: string,
) =>
  db.run(sql`
    insert into software_login_logs
      (account_id, router_id, router_uid, router_name, ok, reason, ip, os, version, sys_brand, sys_model, sys_version, at)
    select r.account_id, r.id, coalesce(r.uid, r.hub), r.name, ${failure === '' ? 1 : 0}, ${failure}, ${ip}, ${os}, ${version}, ${sys_brand}, ${sys_model},
      ${sys_version}, ${now}
    from json_each(${JSON.stringify(members.map(({ id, uid }) => ({ id, uid })))}) e
    join routers r on r.id = e.value ->> 'id' and coalesce(r.uid, r.hub) = e.value ->> 'uid'`)

export const upsertClientFacts = (
  db: Db,
  { id, accountId }: { readonly id: number; readonly accountId: number },
  { os, version, capabilities }: Device,
) =>
  db.run(sql`
    insert into router_states (router_id, os, version, client_capabilities)
    select id, ${os}, ${version}, ${capabilities && JSON.stringify(capabilities)}
    from routers where id = ${id} and account_id = ${accountId}
    on conflict (router_id) do update set os = excluded.os, version = excluded.version,
      client_capabilities = excluded.client_capabilities`)

const memberColumns = (now: number) => ({
  id: routers.id,
  uid: sql<string>`coalesce(${routers.uid}, ${routers.hub})`.as('uid'),
  accountId: routers.accountId,
  name: routers.name,
  note: routers.note,
  hub: routers.hub,
  password: routers.password,
  passwordSealed: routers.passwordSealed,
  areaCode: routers.areaCode,
  phone: routers.phone,
  status: routers.status,
  accountStatus: as(accounts.status, 'account_status'),
  host: as(accounts.host, 'account_host'),
  softwareQuota: quotaSql(sql`${routers.accountId}`, 'software_member', now).as('software_quota'),
  directoryId: sql<string | null>`(select l.directory_id from ldap_members l where l.router_id = ${routers.id})`.as(
    'directory_id',
  ),
})

const selectMember = (db: Db, now: number) =>
  db.select(memberColumns(now)).from(routers).innerJoin(accounts, eq(accounts.id, routers.accountId))

export type SigningMember = Awaited<ReturnType<typeof selectMemberByName>>[number]

/** Present name of a member: a former suffix of the account is replaced by the present one. */
const presentName = ({ name, domain }: RamName, now: number): SQL => sql`${name} || '@' || coalesce(
  (select a.sign from old_signs o join accounts a on a.id = o.account_id where o.sign = ${domain} and o.expires_at > ${now}),
  ${domain})`

export const selectMemberByName = (db: Db, name: RamName, now: number) =>
  selectMember(db, now)
    .where(and(sql`${routers.name} = ${presentName(name, now)}`, eq(routers.routerType, ROUTER_TYPE.software)))
    .limit(1)

/** Directory of the account that has this suffix, or had it before. */
export const selectDirectoryOf = (db: Db, { domain }: RamName, now: number) =>
  db.all<[HubName]>(sql`
    select h.hub as directory_hub from accounts a
      join ldap_configs c on c.account_id = a.id join ldap_hubs h on h.account_id = a.id
    where a.sign = coalesce(
      (select o_a.sign from old_signs o join accounts o_a on o_a.id = o.account_id
        where o.sign = ${domain} and o.expires_at > ${now}),
      ${domain})`)

/** Key of the failure counters: the member with this present or former name, or else `unknown`. */
export const memberKey = (name: RamName, unknown: string, now: number): SQL => sql`coalesce('client:' ||
  (select id from routers where name = ${presentName(name, now)} and router_type = ${ROUTER_TYPE.software}),
  ${`client?${unknown}`})`

/** Members of all accounts with the phone, newest first. */
export const selectMembersByPhone = (db: Db, areaCode: string, phone: string, now: number) =>
  selectMember(db, now)
    .where(and(eq(routers.phone, phone), eq(routers.areaCode, areaCode), eq(routers.routerType, ROUTER_TYPE.software)))
    .orderBy(desc(routers.id))
    .limit(CLIENT.phoneMembersMax)

/** Member that a sign-in through an authentication source has found. */
export const selectMemberOfRequest = (db: Db, requestId: string, now: number) =>
  selectMember(db, now)
    .where(
      sql`(${routers.id}, ${routers.accountId}) in
        (select router_id, account_id from auth_requests where id = ${requestId})
        and ${routers.routerType} = ${ROUTER_TYPE.software}`,
    )
    .limit(1)

/** Guard: the checked password is still the member's. If it was hashed meanwhile, the client tries again. */
export const guardPassword = (db: Db, { id, accountId, password, passwordSealed }: SigningMember) =>
  guard(
    db,
    sql`exists (select 1 from routers where id = ${id} and account_id = ${accountId} and status = 1
      and password = ${password} and password_sealed is ${passwordSealed})`,
    passwordSealed === null ? violation('LOGIN_FAILED') : violation('HASHING_BUSY', { retry_after: 1 }),
  )

/** Guard: the member still has the phone to which the code was sent. */
export const guardPhone = (db: Db, { id, accountId, areaCode, phone }: SigningMember) =>
  guard(
    db,
    sql`exists (select 1 from routers where id = ${id} and account_id = ${accountId} and status = 1
      and area_code = ${areaCode} and phone = ${phone})`,
    violation('CODE_WRONG'),
  )

export const insertClientSession = (db: Db, row: typeof clientSessions.$inferInsert) =>
  db.insert(clientSessions).values(row)

/** Ends the oldest sessions beyond the limit of a member; runs after the insert. */
export const endSurplusSessions = (db: Db, accountId: number, routerId: number, now: number) =>
  db.run(sql`
    update client_sessions set ended_at = ${now}
    where account_id = ${accountId} and router_id = ${routerId} and ended_at is null and id not in (
      select id from client_sessions where router_id = ${routerId} and ended_at is null
      order by created_at desc, rowid desc limit ${CLIENT.sessionsMax})`)

export const selectClientSession = (db: Db, id: string, now: number) =>
  db
    .select({
      id: clientSessions.id,
      accountId: clientSessions.accountId,
      routerId: clientSessions.routerId,
      refreshHash: clientSessions.refreshHash,
      refreshParent: clientSessions.refreshParent,
      rotatedAt: clientSessions.rotatedAt,
      expiresAt: clientSessions.expiresAt,
      endedAt: clientSessions.endedAt,
      name: routers.name,
      status: routers.status,
      accountStatus: as(accounts.status, 'account_status'),
      softwareQuota: quotaSql(sql`${routers.accountId}`, 'software_member', now).as('software_quota'),
    })
    .from(clientSessions)
    .innerJoin(routers, eq(routers.id, clientSessions.routerId))
    .innerJoin(accounts, eq(accounts.id, clientSessions.accountId))
    .where(eq(clientSessions.id, id))

export const selectClientMember = (db: Db, accountId: number, routerId: number) =>
  db
    .select({ name: routers.name, note: routers.note, areaCode: routers.areaCode, phone: routers.phone })
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.id, routerId)))

export const selectHost = (db: Db, accountId: number) =>
  db.select({ host: accounts.host }).from(accounts).where(eq(accounts.id, accountId))
