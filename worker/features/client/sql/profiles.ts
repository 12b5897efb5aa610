import { type SQL, and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { type OutboxContext, refreshRouters } from '#db/hub-outbox.ts'
import { clientProfiles } from '#db/schema/clients.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'
import { networkScope } from '#db/scope.ts'

/* Statements on profiles of software members: lists, new ones, revocation, links for phones, and dials with them. */

const profileColumns = {
  id: clientProfiles.id,
  accountId: clientProfiles.accountId,
  routerId: clientProfiles.routerId,
  networkId: clientProfiles.networkId,
  deviceName: clientProfiles.deviceName,
  routerName: clientProfiles.routerName,
  credentialVersion: clientProfiles.credentialVersion,
  issuedAt: clientProfiles.issuedAt,
  expiresAt: clientProfiles.expiresAt,
  lastDialAt: clientProfiles.lastDialAt,
  revokedAt: clientProfiles.revokedAt,
  memberName: as(routers.name, 'member_name'),
  memberVersion: as(routers.credentialVersion, 'member_version'),
  networkNumber: as(networks.number, 'network_number'),
  networkName: as(networks.name, 'network_name'),
}

const selectProfiles = (db: Db, ...conditions: (SQL | undefined)[]) =>
  db
    .select(profileColumns)
    .from(clientProfiles)
    .innerJoin(routers, eq(routers.id, clientProfiles.routerId))
    .innerJoin(networks, eq(networks.id, clientProfiles.networkId))
    .where(and(...conditions))
    .orderBy(desc(clientProfiles.id))
    .limit(CLIENT_PROFILE.listedMax)

export type ProfileRecord = Awaited<ReturnType<typeof selectProfiles>>[number]

interface Owner {
  readonly accountId: number
  readonly routerId: number
}

const isOf = ({ accountId, routerId }: Owner) =>
  and(eq(clientProfiles.accountId, accountId), eq(clientProfiles.routerId, routerId))

/** @param number of one network; '' for all. */
export const selectOwnProfiles = (db: Db, owner: Owner, number: string) =>
  selectProfiles(db, isOf(owner), number === '' ? undefined : eq(networks.number, number))

export const selectOwnProfile = (db: Db, owner: Owner, id: number) =>
  selectProfiles(db, isOf(owner), eq(clientProfiles.id, id))

/** Profiles of a member of the account, in the networks that the caller sees. */
export const selectProfilesOfMember = (db: Db, scope: Scope, name: string) =>
  selectProfiles(
    db,
    eq(clientProfiles.accountId, scope.accountId),
    sql`${clientProfiles.routerId} = (select id from routers where account_id = ${scope.accountId} and name = ${name})`,
    networkScope(scope),
  )

interface NewProfile extends Owner {
  readonly routerName: string
  readonly networkNumber: string
  readonly deviceName: string
  readonly credentialVersion: number
  readonly expiresAt: number
}

/** Adds a profile, and aborts the batch beyond the number of open ones; parallel calls may each have read a free one. */
export const addProfile = (
  { db, now, ip }: { readonly db: Db; readonly now: number; readonly ip: string },
  row: NewProfile,
) => ({
  added: db.all<[number]>(sql`
    insert into client_profiles
      (account_id, router_id, network_id, router_name, device_name, credential_version, issued_at, issued_ip, expires_at)
    select ${row.accountId}, ${row.routerId}, m.network_id, ${row.routerName}, ${row.deviceName}, ${row.credentialVersion},
      ${now}, ${ip}, ${row.expiresAt}
    from network_members m join networks n on n.id = m.network_id
    where m.router_id = ${row.routerId} and n.account_id = ${row.accountId} and n.number = ${row.networkNumber}
    returning id`),
  limit: guard(
    db,
    sql`(select count(*) from client_profiles p join networks n on n.id = p.network_id
      where p.router_id = ${row.routerId} and p.account_id = ${row.accountId} and n.number = ${row.networkNumber}
        and p.revoked_at is null and p.expires_at > ${now} and p.credential_version = ${row.credentialVersion}
        and p.router_name = ${row.routerName}) <= ${CLIENT_PROFILE.openMax}`,
    violation('CLIENT_PROFILE_LIMIT', { limit: CLIENT_PROFILE.openMax }),
  ),
})

/** Servers of the network that software members dial: centres and POP nodes. */
const serversOf = (networkId: number): SQL => sql`
  select router_id from network_members where network_id = ${networkId} and member_type = 'center'
  union select router_id from pop_members where network_id = ${networkId}`

/**
 * Revokes a profile: no dial is let in with it, and the servers of its network end its session. The batch aborts if it was
 * revoked meanwhile.
 */
export const revokeProfileWrites = (ctx: OutboxContext, profile: ProfileRecord, jobId: string) => {
  const { db, now } = ctx
  const { id, accountId, networkId, networkNumber, memberName: name } = profile
  const params = JSON.stringify({ network_number: networkNumber, name, halt: true, profile: id })
  return {
    open: guard(
      db,
      sql`exists (select 1 from client_profiles where id = ${id} and account_id = ${accountId} and revoked_at is null)`,
      violation('CLIENT_PROFILE_OVER'),
    ),
    revoked: db
      .update(clientProfiles)
      .set({ revokedAt: now, linkHash: null })
      .where(and(eq(clientProfiles.id, id), eq(clientProfiles.accountId, accountId))),
    jobs: db.run(sql`
      insert into network_jobs (account_id, network_id, job_id, kind, router_id, params, created_at, expires_at)
      select ${accountId}, ${networkId}, ${jobId}, 'kill_user', router_id, ${params}, ${now}, ${now + CLIENT_PROFILE.endMs}
      from (${serversOf(networkId)})`),
    hubs: refreshRouters(ctx, serversOf(networkId)),
  }
}

/** Revokes all profiles of an account, whose files name an authority that is no more. Their sessions end with it. */
export const revokeProfilesOfAccount = (db: Db, accountId: number, now: number) =>
  db
    .update(clientProfiles)
    .set({ revokedAt: now, linkHash: null })
    .where(and(eq(clientProfiles.accountId, accountId), isNull(clientProfiles.revokedAt)))

/** Sets the link of a profile, in place of an earlier one. */
export const setProfileLink = (db: Db, { id, accountId }: ProfileRecord, linkHash: string, linkExpiresAt: number) =>
  db
    .update(clientProfiles)
    .set({ linkHash, linkExpiresAt })
    .where(and(eq(clientProfiles.id, id), eq(clientProfiles.accountId, accountId), isNull(clientProfiles.revokedAt)))

const isLink = (linkHash: string, now: number) =>
  and(eq(clientProfiles.linkHash, linkHash), gt(clientProfiles.linkExpiresAt, now))

export const selectProfileByLink = (db: Db, linkHash: string, now: number) => selectProfiles(db, isLink(linkHash, now))

/** Uses a link up. A second caller's batch aborts. */
export const consumeProfileLink = (db: Db, { id, accountId }: ProfileRecord, linkHash: string, now: number) => ({
  unused: guard(
    db,
    sql`exists (select 1 from client_profiles where ${isLink(linkHash, now)})`,
    violation('CLIENT_LINK_BAD'),
  ),
  used: db
    .update(clientProfiles)
    .set({ linkHash: null })
    .where(and(eq(clientProfiles.id, id), eq(clientProfiles.accountId, accountId), isLink(linkHash, now))),
})

/** Profile that a dial names, if it is one of the member for the network. */
export const selectDialProfile = (
  db: Db,
  {
    profileId,
    memberId,
    networkNumber,
  }: { readonly profileId: number; readonly memberId: number; readonly networkNumber: string },
) =>
  selectProfiles(
    db,
    eq(clientProfiles.id, profileId),
    eq(clientProfiles.routerId, memberId),
    eq(networks.number, networkNumber),
  )

export const recordProfileDial = (db: Db, { id, accountId }: ProfileRecord, now: number) =>
  db
    .update(clientProfiles)
    .set({ lastDialAt: now })
    .where(and(eq(clientProfiles.id, id), eq(clientProfiles.accountId, accountId)))

/** Day of a message about profiles that end, for one message a day and account. */
const messageEvent = (accountId: SQL, day: string) => sql<string>`'client-profiles:' || ${accountId} || ':' || ${day}`

/** Open profiles that end within `warnDays` and of which nobody was warned, of accounts without a message of this day. */
export const selectEndingProfiles = (
  db: Db,
  { now, day }: { readonly now: number; readonly day: string },
  limit: number,
) =>
  db
    .select({ ...profileColumns, event: messageEvent(sql`${clientProfiles.accountId}`, day).as('event') })
    .from(clientProfiles)
    .innerJoin(routers, eq(routers.id, clientProfiles.routerId))
    .innerJoin(networks, eq(networks.id, clientProfiles.networkId))
    .where(
      sql`${clientProfiles.expiresAt} > ${now} and ${clientProfiles.expiresAt} <= ${now + (CLIENT_PROFILE.warnDays + 1) * DAY_MS}
        and ${clientProfiles.warnedAt} is null and ${clientProfiles.revokedAt} is null
        and ${clientProfiles.credentialVersion} = ${routers.credentialVersion} and ${clientProfiles.routerName} = ${routers.name}
        and not exists (select 1 from messages where event_id = ${messageEvent(sql`${clientProfiles.accountId}`, day)})`,
    )
    .orderBy(asc(clientProfiles.expiresAt))
    .limit(limit)

export const recordWarnings = (db: Db, ids: readonly number[], now: number) =>
  db.run(sql`update client_profiles set warned_at = ${now} from json_each(${JSON.stringify(ids)}) v
    where client_profiles.id = v.value`)
