import { and, desc, eq, sql } from 'drizzle-orm'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { Db } from './client.ts'
import { outbox } from './schema/accounts.ts'

/* Table of mails, messages and captchas that a local run keeps in place of sending them. */

export interface OutboxFilter {
  readonly kind?: (typeof outbox.$inferSelect)['kind'] | undefined
  readonly to?: string | undefined
  readonly uniqid?: string | undefined
}

export const selectOutboxRows = (db: Db, { kind, to, uniqid }: OutboxFilter) =>
  db
    .select({
      kind: outbox.kind,
      to: outbox.recipient,
      uniqid: outbox.uniqid,
      code: outbox.code,
      subject: outbox.subject,
      text: outbox.body,
      at: outbox.at,
    })
    .from(outbox)
    .where(
      and(
        kind && eq(outbox.kind, kind),
        to === undefined ? undefined : eq(outbox.recipient, to),
        uniqid === undefined ? undefined : eq(outbox.uniqid, uniqid),
      ),
    )
    .orderBy(desc(outbox.id))
    .limit(ROWS_MAX)

export const insertOutboxRow = (db: Db, row: typeof outbox.$inferInsert) => db.insert(outbox).values(row)

/** The trip of an insert without its row. */
export const insertNoOutboxRow = (db: Db) =>
  db.run(sql`insert into outbox (kind, recipient, at) select 'sms', '', 0 where 0`)
