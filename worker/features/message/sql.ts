import { type SQL, and, desc, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HubName } from '#contract/kernel/hubs.ts'
import { COUNT_MAX } from '#contract/kernel/list.ts'
import type { Session } from '#contract/kernel/session.ts'
import { type MessageType, MESSAGE, MESSAGE_TYPE } from '#contract/message/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { type OutboxContext, insertOutboxFrom, notifyHubsFrom } from '#db/hub-outbox.ts'
import { routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { messageMarks, messages } from '#db/schema/notices.ts'
import { tickets } from '#db/schema/tickets.ts'
import { networkScope, routerScope } from '#db/scope.ts'
import { personKey } from '#domain/account/user.ts'

/* Statements on site messages: insert, those that a reader sees, unread count, marks of reading and deletion. */

const toReader = ({ accountId, ramId, grants }: Session) => ({
  accountId,
  person: personKey({ accountId, ramId }),
  networks: grants.networks && JSON.stringify(grants.networks),
})

const m = alias(messages, 'm')
const k = alias(messageMarks, 'k')

const rowColumns = {
  message_id: as(m.id, 'message_id'),
  title: m.title,
  create_time: m.createdAt,
  type: m.type,
  status: sql<0 | 1>`${k.readAt} is not null`.as('status'),
  // Deleted objects, and those outside the role, get no link.
  network_number: sql<string>`coalesce(${networks.number}, '')`.as('shown_network'),
  network_name: sql<string>`coalesce(${networks.name}, '')`.as('network_name'),
  router_name: sql<string>`coalesce(${routers.name}, '')`.as('shown_router'),
  router_note: sql<string>`coalesce(${routers.note}, '')`.as('router_note'),
  ticket_number: sql<string>`coalesce(${tickets.number}, '')`.as('shown_ticket'),
}

/** Condition on tickets: the reader's own; the main account also has those of its sub-accounts. */
const isOwnTicket = ({ accountId, ramId }: Session) =>
  and(
    eq(tickets.accountId, accountId),
    ramId === null ? undefined : eq(tickets.person, personKey({ accountId, ramId })),
    isNull(tickets.deletedAt),
  )

/** Inserts a site message, in the batch of the change that it reports. A repeated `eventId` makes the batch fail. */
export const insertMessage = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).returning({ id: messages.id })

/** Inserts a site message; a repeated `eventId` is ignored. */
export const insertMessageOnce = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).onConflictDoNothing({ target: messages.eventId })

export interface SystemMessage {
  /** A repeated one is ignored. */
  readonly event: string
  readonly accountId: number
  readonly title: string
  readonly content: string
}

/** Inserts site messages of accounts. The notices to hubs come first, because the missing message selects them. */
export function insertSystemMessages(db: Db, list: readonly SystemMessage[], now: number) {
  const column = (name: keyof SystemMessage): SQL => sql.raw(`(v.value ->> '${name}')`)
  const due = sql`from json_each(${JSON.stringify(list)}) v join accounts a on a.id = ${column('accountId')}
    where not exists (select 1 from messages where event_id = ${column('event')})`
  return {
    hubs: insertOutboxFrom(db, sql`select distinct 'account' as kind, a.hub as hub ${due}`, now),
    messages: db.run(sql`
      insert into messages (account_id, event_id, type, title, content, created_at)
      select a.id, ${column('event')}, ${MESSAGE_TYPE.system}, ${column('title')}, ${column('content')}, ${now} ${due}
      on conflict (event_id) do nothing`),
  }
}

/** Reader of messages: a person, with the networks of its role as a JSON list, null for all. */
interface Reader {
  readonly accountId: number | SQL
  readonly person: string | SQL
  readonly networks: string | null | SQL
}

/**
 * Condition on `messages m` with the reader's own mark `k`: messages for the reader alone, or for everybody about networks
 * of its role and their routers; without those that the reader has deleted.
 */
const isVisible = ({ accountId, person, networks }: Reader): SQL => sql`
  m.account_id = ${accountId} and k.deleted_at is null and (m.person = ${person}
    or (m.person = '' and ${networks === null ? sql`1` : isCovered(accountId, networks)}))`

const isCovered = (accountId: number | SQL, networks: string | SQL): SQL => sql`(${networks} is null
    or m.network_number in (select value from json_each(${networks}))
    or (m.network_number = '' and m.router_name in (
      select r.name from networks n join network_members nm on nm.network_id = n.id join routers r on r.id = nm.router_id
      where n.account_id = ${accountId} and n.number in (select value from json_each(${networks})))))`

/** Messages that the reader sees, as `m`, with its marks as `k`; further conditions follow. */
const fromVisible = (reader: Reader): SQL => sql`
  from messages m left join message_marks k on k.message_id = m.id and k.person = ${reader.person}
  where ${isVisible(reader)}`

/** Number of unread messages among the newest of the account, so that the count does not become slower with age. */
export const countUnread = (reader: Reader): SQL<number> => sql<number>`(select count(*)
  from (select id, account_id, person, network_number, router_name from messages where account_id = ${reader.accountId} order by id desc limit ${MESSAGE.countedNewest}) m
  left join message_marks k on k.message_id = m.id and k.person = ${reader.person}
  where ${isVisible(reader)} and k.read_at is null)`

/** Messages that the caller sees, in the columns of the answer. */
const selectRows = (db: Db, session: Session, content: SQL<string>, condition: SQL | undefined) => {
  const reader = toReader(session)
  return db
    .select({ ...rowColumns, content: content.as('content') })
    .from(m)
    .leftJoin(k, and(eq(k.messageId, m.id), eq(k.person, reader.person)))
    .leftJoin(networks, and(networkScope(session), eq(networks.number, m.networkNumber)))
    .leftJoin(routers, and(routerScope(db, session), eq(routers.name, m.routerName)))
    .leftJoin(tickets, and(isOwnTicket(session), eq(tickets.number, m.ticketNumber)))
    .where(and(isVisible(reader), condition))
}

interface MessageFilter {
  readonly type: MessageType | ''
  readonly unread: 0 | 1
}

export const selectMessages = (db: Db, session: Session, { type, unread }: MessageFilter) =>
  selectRows(
    db,
    session,
    sql`''`,
    and(type === '' ? undefined : eq(m.type, type), unread === 1 ? isNull(k.readAt) : undefined),
  ).orderBy(desc(m.id))

export const selectMessage = (db: Db, session: Session, id: number) =>
  selectRows(db, session, sql`${m.content}`, eq(m.id, id))

/** Number of messages of all types, at most one more than `COUNT_MAX`, and the newest id. */
export const selectSums = (db: Db, session: Session) =>
  db.all<[total: number, newest: number]>(sql`
    select count(*) as total, coalesce(max(id), 0) as newest
    from (select m.id ${fromVisible(toReader(session))} order by m.id desc limit ${COUNT_MAX + 1})`)

/** Number of unread messages of all types, the same as everywhere in the console. */
export const selectUnread = (db: Db, session: Session) =>
  db.all<[number]>(sql`select ${countUnread(toReader(session))} as unread`)

/** Messages by id, or all up to the newest id; null for all. */
export type MessageChoice = { readonly ids: readonly number[] } | { readonly newest: number | null }

const isChosen = (chosen: MessageChoice): SQL => {
  if ('ids' in chosen) return sql`m.id in (select value from json_each(${JSON.stringify(chosen.ids)}))`
  return chosen.newest === null ? sql`1` : sql`m.id <= ${chosen.newest}`
}

/** Number of chosen messages that the caller sees, number of unread ones, and the hub of the caller's account. */
export const selectChosen = (db: Db, session: Session, chosen: MessageChoice) =>
  db.all<[found: number, unread: number, hub: HubName]>(sql`
    select count(*) as found, coalesce(sum(k.read_at is null), 0) as unread,
      (select hub from accounts where id = ${session.accountId}) as hub
    ${fromVisible(toReader(session))} and ${isChosen(chosen)}`)

export const markRead = (db: Db, session: Session, chosen: MessageChoice, now: number) =>
  db.run(sql`
    insert into message_marks (message_id, person, account_id, read_at)
    select m.id, ${personKey(session)}, m.account_id, ${now}
    ${fromVisible(toReader(session))} and k.read_at is null and ${isChosen(chosen)}
    on conflict (message_id, person) do update set read_at = excluded.read_at`)

export const markDeleted = (db: Db, session: Session, chosen: MessageChoice, now: number) =>
  db.run(sql`
    insert into message_marks (message_id, person, account_id, deleted_at)
    select m.id, ${personKey(session)}, m.account_id, ${now} ${fromVisible(toReader(session))} and ${isChosen(chosen)}
    on conflict (message_id, person) do update set deleted_at = excluded.deleted_at`)

/** Makes the account's hub count again if the caller has not read this message yet. Runs before the mark. */
export const notifyIfUnread = (ctx: OutboxContext, session: Session, id: number) =>
  notifyHubsFrom(
    ctx,
    sql`
      select 'account' as kind, a.hub as hub from accounts a where a.id = ${session.accountId}
        and exists (select 1 ${fromVisible(toReader(session))} and k.read_at is null and m.id = ${id})`,
  )
