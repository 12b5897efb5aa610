import { type SQL, sql } from 'drizzle-orm'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { DIAL_LOST, DIAL_SERVER_AWAY, LINK_DEVICE_GONE } from '#contract/kernel/states.ts'
import { afterCommit } from './batch.ts'
import type { Db } from './client.ts'
import { idList } from './columns.ts'
import { type OutboxContext, insertOutboxFrom, toRefreshEntries } from './hub-outbox.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

interface DialMove {
  /** Ids of the members that are looked at, as `router_id`, and when each was there last if it has no open dial, as `seen_at`. */
  readonly members: SQL
  /** Open dials `l` that the same batch ends; absent: none. */
  readonly ending?: SQL
  /** Why it is 离线. */
  readonly reason: string
}

/**
 * 在线 while one of a member's dials is open at any centre or node, 离线 after the last. Writes only rows whose state moves;
 * `presence_since` always grows, whichever clock the writers have.
 */
export const updateDialPresence = (db: Db, { members, ending, reason }: DialMove, now: number) =>
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
 * Ends open dials `l` that no device reports any more. The states of their members and the outbox rows come first, while these
 * dials can be found. `seenAt`: when a member was there last, if not when its dial was reported last.
 */
export const endDials = (
  db: Db,
  { ending, reason, seenAt }: { readonly ending: SQL; readonly reason: string; readonly seenAt?: number | null },
  now: number,
) => {
  const members = sql`select l.router_id, coalesce(${seenAt ?? null}, max(max(l.seen_at, l.start_at))) as seen_at
    from dial_logs l where l.end_at is null and l.router_id is not null and ${ending} group by l.router_id`
  return {
    presence: updateDialPresence(db, { members, ending, reason }, now),
    notices: insertPresenceNotices(db, members, now),
    dials: db.all<[number]>(sql`
      update dial_logs as l set end_at = max(l.seen_at, l.start_at), reason = ${DIAL_LOST}
      where l.end_at is null and ${ending} returning id`),
  }
}

/** Open dials at these centres or nodes, as `endDials` takes them. */
export const dialsAt = (routerIds: SQL): SQL => sql`l.link_id in (${routerIds})`

/** Rows of the hub outbox for the accounts of those of the members whose state this batch has moved. */
export const insertPresenceNotices = (db: Db, members: SQL, now: number) =>
  insertNotices(db, sql`s.router_id in (select router_id from (${members})) and s.presence_since >= ${now}`, now)

/** The same for one member, whose state may have no time. */
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

/** In the batch of a request or a job: its notices await delivery once it commits. */
export const deliverNotices = (
  { hubOutbox }: Pick<OutboxContext, 'hubOutbox'>,
  statement: ReturnType<typeof insertNotices>,
) => afterCommit(statement, (rows) => void hubOutbox.push(...toRefreshEntries(rows)))

/** Statements that end the dials at members whose devices go, and their links, which no device will end. */
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

/** The same for deleted members. Their own open dials are records only: a later member may get their ids. */
export const endDialsOfDeleted = (ctx: OutboxContext, accountId: number, routerIds: readonly number[]) => ({
  ...endDialsAtMembers(ctx, accountId, routerIds),
  dialsKept: ctx.db.run(sql`
    update dial_logs set router_id = null
    where account_id = ${accountId} and router_id in (${idList(routerIds)}) and end_at is null`),
})
