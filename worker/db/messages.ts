import { type SQL, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { messages } from './schema/notices.ts'
import { MESSAGE } from '#contract/message/limits.ts'

/** A site message; `eventId` makes its repetition fail, so that it stands in the batch of the change that it reports. */
export const insertMessage = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).returning({ id: messages.id })

/** The same where a repetition does no harm. */
export const insertMessageOnce = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).onConflictDoNothing({ target: messages.eventId })

/** Whose messages are read: a person, with the networks of its role as a JSON list, null for all. */
export interface Reader {
  readonly accountId: number | SQL
  readonly person: string | SQL
  readonly networks: string | null | SQL
}

/**
 * Condition on `messages m` with the reader's own mark `k`: messages for everybody of the networks that its role covers, about
 * routers of these networks, and for the reader alone; without what it has deleted.
 */
export const isVisible = ({ accountId, person, networks }: Reader): SQL => sql`
  m.account_id = ${accountId} and k.deleted_at is null and (m.person = ${person}
    or (m.person = '' and ${networks === null ? sql`1` : isCovered(accountId, networks)}))`

const isCovered = (accountId: number | SQL, networks: string | SQL): SQL => sql`(${networks} is null
    or m.network_number in (select value from json_each(${networks}))
    or (m.network_number = '' and m.router_name in (
      select r.name from networks n join network_members nm on nm.network_id = n.id join routers r on r.id = nm.router_id
      where n.account_id = ${accountId} and n.number in (select value from json_each(${networks})))))`

/** Messages that the reader sees, as `m`, with its marks as `k`; further conditions follow. */
export const fromVisible = (reader: Reader): SQL => sql`
  from messages m left join message_marks k on k.message_id = m.id and k.person = ${reader.person}
  where ${isVisible(reader)}`

/** Among the newest of the account, so that what a count reads does not grow with what is kept. */
export const countUnread = (reader: Reader): SQL<number> => sql<number>`(select count(*)
  from (select id, account_id, person, network_number, router_name from messages where account_id = ${reader.accountId} order by id desc limit ${MESSAGE.countedNewest}) m
  left join message_marks k on k.message_id = m.id and k.person = ${reader.person}
  where ${isVisible(reader)} and k.read_at is null)`
