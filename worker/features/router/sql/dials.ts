import { type SQL, sql, and, between, desc, eq, getTableColumns } from 'drizzle-orm'
import { HUB_OUTBOX, DIAL } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { DIAL_LOST, DIAL_SERVER_AWAY, LINK_DEVICE_GONE, DIAL_ENDED, LINK_UNKNOWN } from '#contract/kernel/states.ts'
import { afterCommit, batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { idList, contains, isOneOf } from '#db/columns.ts'
import { type OutboxContext, insertOutboxFrom, toRefreshEntries } from '#db/hub-outbox.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { PORTION } from '#db/retention.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { networks } from '#db/schema/networks.ts'
import { isOfMember, currentMemberName } from '#features/logs/sql/member-records.ts'

/* Statements on dials of software members and on times of links: saved from devices' reports, ended, summed as usage. */

interface DialMove {
  /** Ids of the members to update (`router_id`), and the last time of each one without an open dial (`seen_at`). */
  readonly members: SQL
  /** Open dials `l` that the same batch ends; absent for none. */
  readonly ending?: SQL
  /** Reason for offline (离线). */
  readonly reason: string
}

/**
 * Sets a member online (在线) while one of its dials is open at any centre or node, and offline (离线) after the last. Writes
 * only changed rows; `presence_since` always grows, with any writer's clock.
 */
const updateDialPresence = (db: Db, { members, ending, reason }: DialMove, now: number) =>
  db.run(sql`
    with looked as materialized (
      select r.id, m.seen_at, exists (select 1 from dial_logs l
        where l.account_id = r.account_id and l.router_id = r.id and l.end_at is null
          and not (${ending ?? sql`0`})) as is_open
      from (${members}) m join routers r on r.id = m.router_id
      where r.router_type = ${ROUTER_TYPE.software} and r.status = 1)
    insert into router_states (router_id, presence, presence_since, presence_reason, last_seen_at, notified_presence)
    select id, iif(is_open, 'online', 'offline'), ${now}, iif(is_open, '', ${reason}),
      iif(is_open, ${now}, min(${now}, coalesce(seen_at, ${now}))), 'never'
    from looked where true
    on conflict (router_id) do update set
      presence = excluded.presence, presence_reason = excluded.presence_reason,
      presence_since = max(excluded.presence_since, coalesce(router_states.presence_since, 0) + 1),
      last_seen_at = max(coalesce(router_states.last_seen_at, 0), excluded.last_seen_at),
      notified_presence = coalesce(router_states.notified_presence, router_states.presence)
    where router_states.presence <> excluded.presence and router_states.presence <> 'disabled'`)

/**
 * Ends open dials `l` that no device reports any more. States of members and outbox rows come first, while these dials are
 * still open. `seenAt`: last time of a dial's member, if not that of the last report.
 */
export const endDials = (
  db: Db,
  { ending, reason, seenAt }: { readonly ending: SQL; readonly reason: string; readonly seenAt?: SQL },
  now: number,
) => {
  const members = sql`select l.router_id, max(coalesce(${seenAt ?? sql`null`}, max(l.seen_at, l.start_at))) as seen_at
    from dial_logs l where l.end_at is null and l.router_id is not null and ${ending} group by l.router_id`
  return {
    presence: updateDialPresence(db, { members, ending, reason }, now),
    notices: insertPresenceNotices(db, members, now),
    dials: db.all<[number]>(sql`
      update dial_logs as l set end_at = max(l.seen_at, l.start_at), reason = ${DIAL_LOST}
      where l.end_at is null and ${ending} returning id`),
  }
}

/** Condition for `endDials`: dials at these centres or nodes. */
export const dialsAt = (routerIds: SQL): SQL => sql`l.link_id in (${routerIds})`

/** Outbox rows for the accounts of members whose state this batch has changed. */
export const insertPresenceNotices = (db: Db, members: SQL, now: number) =>
  insertNotices(db, sql`s.router_id in (select router_id from (${members})) and s.presence_since >= ${now}`, now)

/** Outbox row for one member, whose state may have no time. */
export const insertPresenceNotice = (db: Db, routerId: number, now: number) =>
  insertNotices(db, sql`s.router_id = ${routerId}`, now)

const insertNotices = (db: Db, which: SQL, now: number) =>
  insertOutboxFrom(
    db,
    sql`
      select distinct 'account' as kind, a.hub as hub
      from router_states s join routers r on r.id = s.router_id join accounts a on a.id = r.account_id
      where s.notified_presence is not null and ${which}`,
    now + HUB_OUTBOX.sweepAfterMs,
  )

/** Wraps the outbox statement, so that its rows are delivered after the commit of a request or job. */
export const deliverNotices = (
  { hubOutbox }: Pick<OutboxContext, 'hubOutbox'>,
  statement: ReturnType<typeof insertNotices>,
) => afterCommit(statement, (rows) => void hubOutbox.push(...toRefreshEntries(rows)))

/** Statements that end the dials at members whose devices are removed, and the links of these, which no device will end. */
export const endDialsAtMembers = (
  { db, now, hubOutbox }: OutboxContext,
  accountId: number,
  routerIds: readonly number[],
) => {
  const ending = sql`+l.account_id = ${accountId} and ${dialsAt(idList(routerIds))}`
  const { presence, notices, dials } = endDials(db, { ending, reason: DIAL_SERVER_AWAY }, now)
  return {
    dialStates: presence,
    dialNotices: deliverNotices({ hubOutbox }, notices),
    dialsEnded: dials,
    linksEnded: db.run(sql`
      update dial_logs set end_at = max(start_at, ${now}), reason = ${LINK_DEVICE_GONE}
      where account_id = ${accountId} and router_id in (${idList(routerIds)}) and end_at is null and is_link = 1`),
  }
}

/** Does the same for deleted members, and unlinks their own open dials: a later member may get their ids. */
export const endDialsOfDeleted = (ctx: OutboxContext, accountId: number, routerIds: readonly number[]) => ({
  ...endDialsAtMembers(ctx, accountId, routerIds),
  dialsKept: ctx.db.run(sql`
    update dial_logs set router_id = null
    where account_id = ${accountId} and router_id in (${idList(routerIds)}) and end_at is null`),
})

/** Dial from a device's report, with times of the server's clock. */
export interface DialRow {
  readonly key: string
  readonly number: string
  readonly name: string
  readonly mode: 'p2p' | 'pop'
  readonly remote: string
  /** Null if the device's document does not contain this member. */
  readonly vpnIp: string | null
  readonly startAt: number
  readonly endAt: number | null
  readonly rx: number
  readonly tx: number
  readonly reason: string
}

/**
 * Saves dials: updates stored ones, and inserts at most `insertMax` new ones. Keys belong to the router, so that no report
 * changes another device's rows, and a repeated report changes nothing. The members' states follow in the same batch.
 * Answers the stored keys and rows of the hub outbox.
 */
export async function saveDials(db: Db, hub: HubName, rows: readonly DialRow[], insertMax: number, now: number) {
  const sent = sql`json_each(${JSON.stringify(rows)}) d join routers own on own.hub = ${hub}
    join networks n on n.number = d.value ->> 'number'`
  const stored = sql`${sent} join dial_logs l on l.account_id = n.account_id and l.key = own.id || ':' || (d.value ->> 'key')`
  const members = sql`select l.router_id, max(l.end_at) as seen_at from ${stored} group by l.router_id`
  const isBegun = rows.some(({ startAt, endAt }) => endAt === null && startAt > now - DIAL.supersedeMs)
  const { updated, inserted, notices, superseded } = await batch(db, {
    updated: db.all<[string]>(sql`
      update dial_logs set
        rx = max(dial_logs.rx, s.rx), tx = max(dial_logs.tx, s.tx), seen_at = ${now},
        end_at = case when dial_logs.end_at is null or dial_logs.reason = ${DIAL_LOST} then s.end_at else dial_logs.end_at end,
        reason = case when dial_logs.end_at is null or dial_logs.reason = ${DIAL_LOST} then s.reason else dial_logs.reason end
      from (select n.account_id, own.id || ':' || (d.value ->> 'key') as key, own.name as name,
        d.value ->> 'rx' as rx, d.value ->> 'tx' as tx, d.value ->> 'endAt' as end_at, d.value ->> 'reason' as reason
        from ${sent}) s
      where dial_logs.account_id = s.account_id and dial_logs.key = s.key and dial_logs.link_router_name = s.name
      returning substr(dial_logs.key, instr(dial_logs.key, ':') + 1)`),
    // The area's name at a node; a centre has none.
    inserted: db.all<[string]>(sql`
      insert or ignore into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, pop_name, area,
        orig, vpn_ip, rx, tx, reason, start_at, end_at, seen_at, router_id, router_uid, link_id)
      select n.account_id, own.id || ':' || (d.value ->> 'key'), d.value ->> 'mode', n.number, member.name, own.name,
        coalesce(f.name, ''), coalesce(p.name, ''), d.value ->> 'remote', d.value ->> 'vpnIp', d.value ->> 'rx',
        d.value ->> 'tx', d.value ->> 'reason', d.value ->> 'startAt', d.value ->> 'endAt', ${now}, member.id,
        coalesce(member.uid, member.hub), own.id
      from ${sent}
      join routers member on member.account_id = n.account_id and member.name = d.value ->> 'name'
      left join pop_members pm on pm.network_id = n.id and pm.router_id = own.id
      left join network_fr_areas a on a.id = pm.area_id
      left join network_frs f on f.id = a.fr_id
      left join pops p on p.id = a.pop_id
      where d.value ->> 'vpnIp' is not null and (n.account_id = own.account_id or pm.id is not null)
        and not exists (select 1 from dial_logs l where l.account_id = n.account_id and l.key = own.id || ':' || (d.value ->> 'key'))
      order by d.key limit ${insertMax}
      returning substr(key, instr(key, ':') + 1)`),
    presence: updateDialPresence(db, { members, reason: DIAL_ENDED }, now),
    notices: insertPresenceNotices(db, members, now),
    ...(isBegun ? endOlderDials(db, stored, now) : { older: undefined, superseded: undefined }),
  })
  return {
    updated: updated.map(([key]) => key),
    inserted: inserted.map(([key]) => key),
    notices: toRefreshEntries([...notices, ...(superseded ?? [])]),
  }
}

/**
 * Statements that let other centres and nodes end the older dial of a member that has just dialled here: of two dials into
 * one network the newer counts. `stored` are the rows `l` of the report, at the router `own`, in the networks `n`.
 */
function endOlderDials(db: Db, stored: SQL, now: number) {
  const params = sql`json_object('network_number', n.number, 'name', older.router_name, 'halt', json('true'))`
  const older = sql`
    from ${stored} join dial_logs older on older.account_id = l.account_id and older.router_id = l.router_id
      and older.network_number = l.network_number and older.is_link = 0 and older.end_at is null
      and older.link_id <> l.link_id and older.start_at < l.start_at
    where l.end_at is null and l.start_at > ${now - DIAL.supersedeMs}`
  return {
    older: db.run(sql`
      insert into network_jobs (account_id, network_id, job_id, kind, router_id, params, created_at, expires_at)
      select account_id, network_id, lower(hex(randomblob(16))), 'kill_user', link_id, params, ${now}, ${now + DIAL.supersedeMs}
      from (select distinct l.account_id, n.id as network_id, older.link_id, ${params} as params ${older}) o
      where exists (select 1 from routers where id = o.link_id) and not exists (select 1 from network_jobs j
        where j.router_id = o.link_id and j.state = 'pending' and j.kind = 'kill_user' and j.params = o.params)`),
    superseded: insertOutboxFrom(
      db,
      sql`select distinct 'router' as kind, r.hub as hub from network_jobs j join routers r on r.id = j.router_id
        where j.created_at = ${now} and j.kind = 'kill_user' and j.state = 'pending'
          and j.router_id in (select older.link_id ${older})`,
      now + HUB_OUTBOX.sweepAfterMs,
    ),
  }
}

/** Ends dials that their device no longer reports, at the time of its last report. */
export const endLostDials = (db: Db, now: number) =>
  endDials(
    db,
    {
      ending: sql`l.id in (select id from dial_logs
        where end_at is null and seen_at < ${now - DIAL.lostMs} order by seen_at limit ${PORTION})`,
      reason: DIAL_LOST,
    },
    now,
  )

/** Centres and nodes with open dials of software members, in order of `id`. */
export const selectDialServers = (db: Db, afterId: number, limit: number) =>
  db.all<[id: number, hub: HubName]>(sql`
    select l.link_id, r.hub from dial_logs l join routers r on r.id = l.link_id
    where l.end_at is null and l.is_link = 0 and l.link_id > ${afterId}
    group by l.link_id order by l.link_id limit ${limit}`)

/** Keeps links out of the sweep of lost dials, because only their device ends them. */
const NEVER_LOST = Number.MAX_SAFE_INTEGER

/**
 * Statements that save link times: inserts new ones, and ends an open earlier time of the same link. Repetition does no harm.
 * In a deleted network only the ends are saved. `sent`: rows `d` of times (LinkRow) with their routers `r`.
 */
export function saveLinks(db: Db, sent: SQL) {
  const key = sql`'link:' || r.id || ':' || (d.value ->> 'key')`
  return {
    linksBegun: db.run(sql`
      insert or ignore into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, pop_name, area,
        orig, vpn_ip, reason, start_at, end_at, seen_at, router_id, router_uid, is_link)
      select r.account_id, ${key}, iif(pm.id is null, 'p2p', 'pop'), n.number, r.name, d.value ->> 'server',
        coalesce(f.name, ''), coalesce(p.name, ''), d.value ->> 'orig', d.value ->> 'vpnIp', d.value ->> 'reason',
        d.value ->> 'startAt', d.value ->> 'endAt', ${NEVER_LOST}, r.id, coalesce(r.uid, r.hub), 1
      from ${sent} join networks n on n.number = d.value ->> 'number' and n.account_id = r.account_id
      left join routers server on server.name = d.value ->> 'server'
      left join pop_members pm on pm.network_id = n.id and pm.router_id = server.id
      left join network_fr_areas a on a.id = pm.area_id
      left join network_frs f on f.id = a.fr_id
      left join pops p on p.id = a.pop_id
      where true`),
    linksEnded: db.run(sql`
      update dial_logs set end_at = s.end_at, reason = s.reason
      from (select r.account_id, ${key} as key, d.value ->> 'endAt' as end_at, d.value ->> 'reason' as reason
        from ${sent} where d.value ->> 'endAt' is not null) s
      where dial_logs.account_id = s.account_id and dial_logs.key = s.key and dial_logs.end_at is null`),
    linksReplaced: db.run(sql`
      update dial_logs set end_at = s.start_at, reason = ${LINK_UNKNOWN}
      from (select r.id, r.account_id, d.value ->> 'number' as number, d.value ->> 'server' as server,
        d.value ->> 'startAt' as start_at from ${sent}) s
      where dial_logs.account_id = s.account_id and dial_logs.router_id = s.id and dial_logs.end_at is null
        and dial_logs.is_link = 1 and dial_logs.network_number = s.number
        and dial_logs.link_router_name = s.server and dial_logs.start_at < s.start_at`),
  }
}

interface UsageFilter {
  readonly search: string
  /** Name of a member; empty for all members. */
  readonly router_name: string
  readonly from: number
  readonly to: number
}

const dial = { ...getTableColumns(dialLogs), at: dialLogs.startAt }

/** Traffic by member, or of one member by network. A role limited to networks sees only dials into these. */
export function selectUsage(db: Db, { accountId, grants }: Scope, { search, router_name, from, to }: UsageFilter) {
  const name: SQL =
    router_name === '' ? currentMemberName(dial) : sql`coalesce(${networks.name}, ${dialLogs.networkNumber})`
  const [down, up] = [sql<number>`sum(${dialLogs.tx})`, sql<number>`sum(${dialLogs.rx})`]
  return db
    .select({
      name: sql<string>`min(${name})`.as('name'),
      download_flow_sum: down.as('download_flow_sum'),
      upload_flow_sum: up.as('upload_flow_sum'),
    })
    .from(dialLogs)
    .leftJoin(networks, and(eq(networks.accountId, dialLogs.accountId), eq(networks.number, dialLogs.networkNumber)))
    .where(
      and(
        eq(dialLogs.accountId, accountId),
        eq(dialLogs.isLink, 0),
        grants.networks === null ? undefined : isOneOf(dialLogs.networkNumber, grants.networks),
        router_name === '' ? undefined : isOfMember(dial, router_name),
        between(dialLogs.startAt, from, to),
        search === '' ? undefined : contains(name, search),
      ),
    )
    .groupBy(router_name === '' ? sql`lower(${name})` : dialLogs.networkNumber)
    .orderBy(desc(sql`${down} + ${up}`), sql`1`)
}
