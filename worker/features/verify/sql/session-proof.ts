import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { sessions } from '#db/schema/accounts.ts'

/*
 * The identity step: a code to the account's own contact proves the session that typed it, until a time and for one change.
 */

type ProvedSession = Pick<Session, 'id' | 'accountId'>

const isProved = ({ id, accountId }: ProvedSession, now: number): SQL =>
  sql`exists (select 1 from sessions
    where id = ${id} and account_id = ${accountId} and ended_at is null and proved_until > ${now})`

/** A row where this session is proved and `when` holds. */
export const selectProved = (db: Db, session: ProvedSession, now: number, when: SQL = sql`true`) =>
  db.all<[number]>(sql`select 1 where ${isProved(session, now)} and ${when}`)

/** Stands in front of the statement that uses up what `when` asks for. */
export const proveSession = (db: Db, { id, accountId }: ProvedSession, until: number, when: SQL) =>
  db
    .update(sessions)
    .set({ provedUntil: until })
    .where(and(eq(sessions.id, id), eq(sessions.accountId, accountId), when))

/** Refuses the batch unless the session is proved, and uses that up: of parallel changes one goes through. */
export const consumeProof = (db: Db, session: ProvedSession, now: number) => ({
  proved: guard(db, isProved(session, now), violation('IDENTITY_REQUIRED')),
  spent: db
    .update(sessions)
    .set({ provedUntil: 0 })
    .where(and(eq(sessions.id, session.id), eq(sessions.accountId, session.accountId))),
})
