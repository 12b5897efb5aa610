import { sql } from 'drizzle-orm'
import { LDAP } from '#contract/ldap/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { idList } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { quotaSql } from '#db/quota.ts'
import { type OutboxContext, notifyHubsFrom } from '#db/hub-outbox.ts'
import { splitPhone } from '#domain/ldap/mapping.ts'
import { refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Statements on members imported from a directory (LDAP): insert, update, status, deletion and restoration. */

export const selectKnownMembers = (db: Db, accountId: number) =>
  db.all<
    [number, string, string, string, string, string | null, 0 | 1, string | null, string | null, 0 | 1 | null]
  >(sql`
    select r.id, coalesce(r.uid, r.hub) as uid, r.name, r.note, r.area_code, r.phone, r.status,
      l.directory_id, l.note as directory_note, l.disabled_by_run
    from routers r left join ldap_members l on l.router_id = r.id
    where r.account_id = ${accountId} and r.router_type = ${ROUTER_TYPE.software}`)

export const countImported = (db: Db, accountId: number) =>
  db.all<[number]>(sql`select count(*) from ldap_members where account_id = ${accountId}`)

interface NewMember {
  readonly uuid: string
  readonly name: string
  readonly note: string
  readonly phone: string
  readonly hub: string
}

/** Row with its phone under its dial code. */
const withDialCode = <Row extends { readonly phone: string }>(row: Row) => ({ ...row, ...splitPhone(row.phone) })

/** Inserts members. No typed password matches theirs (DIRECTORY_PASSWORD). Each JSON list stays below 1 MB. */
export const insertImported = (db: Db, accountId: number, members: readonly NewMember[], now: number): Statements => {
  const lists = Array.from({ length: Math.ceil(members.length / LDAP.addRows) }, (_, i) =>
    JSON.stringify(members.slice(i * LDAP.addRows, (i + 1) * LDAP.addRows).map(withDialCode)),
  )
  return Object.fromEntries(
    lists.flatMap((rows, i) => [
      [`routers${i}`, insertRouters(db, accountId, rows, now)],
      [`links${i}`, insertLinks(db, accountId, rows)],
    ]),
  )
}

const insertRouters = (db: Db, accountId: number, rows: string, now: number) =>
  db.run(sql`
    insert into routers (account_id, name, router_type, note, password, area_code, phone, source, hub, uid, created_at)
    select ${accountId}, value ->> 'name', ${ROUTER_TYPE.software}, value ->> 'note', '!', value ->> 'areaCode',
      nullif(value ->> 'phone', ''), 'ldap', value ->> 'hub', value ->> 'hub', ${now}
    from json_each(${rows}) order by key`)

/** CROSS JOIN finds each value's router by the index of hubs; otherwise the planner reads all routers for each value. */
const insertLinks = (db: Db, accountId: number, rows: string) =>
  db.run(sql`
    insert into ldap_members (router_id, account_id, directory_id, note)
    select r.id, ${accountId}, e.value ->> 'uuid', e.value ->> 'note'
    from json_each(${rows}) e cross join routers r on r.hub = e.value ->> 'hub' where r.account_id = ${accountId}`)

interface FieldChange {
  readonly id: number
  /** Name with the suffix of the account. */
  readonly name: string
  readonly note: string
  readonly phone: string
  readonly directoryNote: string
}

/** Updates members. All names are freed first, because two members may swap theirs. */
export const updateImported = (db: Db, accountId: number, changes: readonly FieldChange[]) => {
  const rows = JSON.stringify(changes.map(withDialCode))
  const ids = idList(changes.map(({ id }) => id))
  return {
    freed: db.run(sql`
      update routers set name = '!' || id || name where account_id = ${accountId} and id in (${ids})`),
    changed: db.run(sql`
      update routers set name = e.value ->> 'name', area_code = e.value ->> 'areaCode', phone = nullif(e.value ->> 'phone', ''),
        note_revision = note_revision + (note <> e.value ->> 'note'), note = e.value ->> 'note'
      from json_each(${rows}) e where routers.id = e.value ->> 'id' and routers.account_id = ${accountId}`),
    notes: db.run(sql`
      update ldap_members set note = e.value ->> 'directoryNote'
      from json_each(${rows}) e where router_id = e.value ->> 'id' and account_id = ${accountId}`),
  }
}

/**
 * Sets the status of imported members, and the flag that a run has disabled them. A person's own decision stays, also if it
 * came between the run's read and its batch.
 */
export const updateStatuses = (db: Db, accountId: number, ids: readonly number[], status: 0 | 1) => {
  const ofRun = sql`account_id = ${accountId} and router_id in (${idList(ids)})`
  if (status === 0)
    return {
      byRun: db.run(sql`
        update ldap_members set disabled_by_run = 1
        where ${ofRun} and exists (select 1 from routers r where r.id = router_id and r.status = 1)`),
      status: db.run(sql`
        update routers set status = 0 where account_id = ${accountId} and id in (${idList(ids)})`),
    }
  return {
    status: db.run(sql`
      update routers set status = 1 where account_id = ${accountId} and id in (
        select router_id from ldap_members where ${ofRun} and disabled_by_run = 1)`),
    byRun: db.run(sql`update ldap_members set disabled_by_run = 0 where ${ofRun}`),
  }
}

/** Presence of many software members, as `updateSoftwarePresence` writes that of one. */
export const updatePresences = (db: Db, accountId: number, ids: readonly number[], status: 0 | 1, now: number) =>
  db.run(sql`
    insert into router_states (router_id, presence, presence_since, notified_presence)
    select r.id, ${status === 0 ? sql`'disabled'` : sql`iif(s.last_seen_at is null, 'never', 'offline')`},
      ${status === 0 ? sql`${now}` : sql`iif(s.last_seen_at is null, null, ${now})`}, 'never'
    from routers r left join router_states s on s.router_id = r.id
    where r.account_id = ${accountId} and r.id in (${idList(ids)})
    on conflict (router_id) do update set
      presence = excluded.presence, presence_reason = '',
      presence_since = max(coalesce(excluded.presence_since, 0), coalesce(router_states.presence_since, 0) + 1),
      notified_presence = coalesce(router_states.notified_presence, router_states.presence)`)

/** Records that a person has decided about the member: runs no longer enable it. */
export const clearRunDisabled = (db: Db, accountId: number, routerId: number) =>
  db.run(sql`update ldap_members set disabled_by_run = 0 where router_id = ${routerId} and account_id = ${accountId}`)

/** Guard: no id is another member's by now, because ids come again. A member that is gone is left out by each statement. */
export const guardSameMembers = (
  db: Db,
  accountId: number,
  members: readonly { readonly id: number; readonly uid: string }[],
) =>
  guard(
    db,
    sql`not exists (select 1 from json_each(${JSON.stringify(members.map(({ id, uid }) => [id, uid]))}) e
      cross join routers r on r.id = e.value ->> 0
      where r.account_id = ${accountId} and coalesce(r.uid, r.hub) <> e.value ->> 1)`,
    violation('LDAP_LIST_CHANGED'),
  )

/** Row of a deleted member for `restoreMembers`; its memberships and its state are JSON. Records of before have no key. */
export type KeptRow = [
  name: string,
  note: string,
  areaCode: string,
  phone: string | null,
  status: 0 | 1,
  hub: string,
  createdAt: number,
  directoryId: string,
  directoryNote: string,
  isDisabledByRun: 0 | 1,
  networks: string,
  uid?: string,
  state?: string | null,
]

/** Key of a deleted member; that of a record of before is the name of its hub. */
export const uidOfKept = (row: KeptRow): string => row[11] ?? row[5]

export const selectKept = (db: Db, accountId: number, ids: readonly number[]) =>
  db.all<KeptRow>(sql`
    select r.name, r.note, r.area_code, r.phone, r.status, r.hub, r.created_at, l.directory_id, l.note as directory_note,
      l.disabled_by_run, (select json_group_array(json_array(m.network_id, m.host, m.joined_at)) from network_members m
        where m.router_id = r.id) as networks, coalesce(r.uid, r.hub) as uid,
      (select json_array(s.last_seen_at, s.version, s.os, s.mac, s.client_capabilities) from router_states s
        where s.router_id = r.id) as state
    from routers r join ldap_members l on l.router_id = r.id
    where r.account_id = ${accountId} and r.id in (${idList(ids)})`)

/**
 * Restores deleted members under their keys, except those whose name or directory user somebody else has now. A phone that
 * another member has is left out. Memberships come back if the network exists, the host is free and the quota has seats.
 */
export const restoreMembers = (db: Db, accountId: number, rows: readonly KeptRow[], now: number) => {
  const list = JSON.stringify(rows)
  return {
    routers: db.run(sql`
      insert into routers
        (account_id, name, router_type, note, password, area_code, phone, status, source, hub, created_at, uid)
      select ${accountId}, e.value ->> 0, ${ROUTER_TYPE.software}, e.value ->> 1, '!', e.value ->> 2,
        case when not exists (select 1 from routers r where r.account_id = ${accountId} and r.area_code = e.value ->> 2
          and r.phone = e.value ->> 3) then e.value ->> 3 end, e.value ->> 4, 'ldap', e.value ->> 5, e.value ->> 6,
        coalesce(e.value ->> 11, e.value ->> 5)
      from json_each(${list}) e
      where not exists (select 1 from routers r where r.name = e.value ->> 0)
        and not exists (select 1 from routers r where r.hub = e.value ->> 5)
        and not exists (select 1 from routers r where r.uid = coalesce(e.value ->> 11, e.value ->> 5))
        and not exists (select 1 from ldap_members l where l.account_id = ${accountId} and l.directory_id = e.value ->> 7)
      order by e.key`),
    links: db.run(sql`
      insert into ldap_members (router_id, account_id, directory_id, note, disabled_by_run)
      select r.id, ${accountId}, e.value ->> 7, e.value ->> 8, e.value ->> 9
      from json_each(${list}) e cross join routers r on r.hub = e.value ->> 5 where r.account_id = ${accountId}
      on conflict do nothing`),
    states: db.run(sql`
      insert into router_states
        (router_id, presence, presence_since, last_seen_at, version, os, mac, client_capabilities)
      select r.id, case when r.status = 0 then 'disabled' when e.value ->> 12 ->> 0 is null then 'never' else 'offline' end,
        case when r.status = 0 or e.value ->> 12 ->> 0 is not null then ${now} end, e.value ->> 12 ->> 0,
        coalesce(e.value ->> 12 ->> 1, ''), coalesce(e.value ->> 12 ->> 2, ''), coalesce(e.value ->> 12 ->> 3, ''),
        e.value ->> 12 ->> 4
      from json_each(${list}) e cross join routers r on r.hub = e.value ->> 5
      where r.account_id = ${accountId} and (r.status = 0 or e.value ->> 12 is not null) on conflict do nothing`),
    memberships: db.run(sql`
      insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
      select ${accountId}, n.id, r.id, 'point', null, m.value ->> 1, m.value ->> 2
      from json_each(${list}) e cross join routers r on r.hub = e.value ->> 5, json_each(e.value ->> 10) m
      join networks n on n.id = m.value ->> 0
      where r.account_id = ${accountId} and n.account_id = ${accountId}
        and not exists (select 1 from network_members t where t.network_id = n.id and t.host = m.value ->> 1)
      order by e.key, m.key
      limit max(0, ${quotaSql(accountId, 'network_member', now)}
        - (select count(*) from network_members where account_id = ${accountId}))
      on conflict do nothing`),
  }
}

/** Restored members by their keys, each with the number of its networks. */
export const selectRestored = (db: Db, accountId: number, rows: readonly KeptRow[]) =>
  db.all<[string, number]>(sql`
    select r.uid, (select count(*) from network_members m where m.router_id = r.id) as memberships
    from json_each(${JSON.stringify(rows.map(uidOfKept))}) e cross join routers r on r.uid = e.value
    where r.account_id = ${accountId}`)

export const selectNetworksOf = (db: Db, accountId: number, ids: readonly number[]) =>
  db.all<[number, string]>(sql`
    select distinct n.id, n.hub from network_members m join networks n on n.id = m.network_id
    where m.account_id = ${accountId} and m.router_id in (${idList(ids)})`)

/** Deletes the directory's links of members; no cascade does this. */
export const deleteLinks = (db: Db, accountId: number, ids: readonly number[]) =>
  db.run(sql`delete from ldap_members where account_id = ${accountId} and router_id in (${idList(ids)})`)

/** Refreshes the networks of restored members, found by their hubs, and all devices that list these members. */
export const refreshRestored = (ctx: OutboxContext, accountId: number, rows: readonly KeptRow[]) => {
  const { db } = ctx
  const ids = sql`select r.id from json_each(${JSON.stringify(rows.map((row) => row[5]))}) e cross join routers r on r.hub = e.value
    where r.account_id = ${accountId}`
  const networkIds = sql`select network_id from network_members where router_id in (${ids})`
  return {
    bumped: db.run(sql`
      update networks set revision = revision + 1 where account_id = ${accountId} and id in (${networkIds})`),
    servers: refreshSoftwareServers(ctx, ids),
    networkHubs: notifyHubsFrom(
      ctx,
      sql`
        select 'network' as kind, n.hub as hub
        from networks n where n.account_id = ${accountId} and n.id in (${networkIds})`,
    ),
  }
}
