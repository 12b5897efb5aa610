import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { loginTickets } from '#db/schema/totp.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'

/*
 * A sign-in whose password or link was right and which waits for the second factor, or for its set-up. The ticket is the only
 * key: nobody is signed in.
 */

export const insertLoginTicket = (
  db: Db,
  row: Omit<typeof loginTickets.$inferInsert, 'tries' | 'expiresAt' | 'usedAt'>,
  now: number,
) => db.insert(loginTickets).values({ ...row, expiresAt: now + LOGIN_TICKET.minutes[row.purpose] * 60_000 })

/** Key of the person that a ticket was issued for. */
export const personOfTicket = (hash: string): SQL => sql`(select person from login_tickets where ticket_hash = ${hash})`

const isOpen = (hash: string, now: number): SQL => sql`ticket_hash = ${hash} and used_at is null
  and tries < ${LOGIN_TICKET.tries} and expires_at > ${now}`

/** Condition: a try with this ticket would count. */
export const isTicketOpen = (hash: string, now: number): SQL =>
  sql`exists (select 1 from login_tickets where ${isOpen(hash, now)})`

const columns = {
  purpose: loginTickets.purpose,
  way: loginTickets.way,
  person: loginTickets.person,
  accountId: loginTickets.accountId,
  credential: loginTickets.credential,
  tries: loginTickets.tries,
}

export const selectLoginTicket = (db: Db, hash: string, now: number) =>
  db.select(columns).from(loginTickets).where(isOpen(hash, now))

/** Counts a try before anything is looked at: of many at once exactly five go on. No row for a ticket that is not open. */
export const recordTicketTry = (db: Db, hash: string, now: number) =>
  db
    .update(loginTickets)
    .set({ tries: sql`${loginTickets.tries} + 1` })
    .where(isOpen(hash, now))
    .returning(columns)

/** Refuses the batch where a parallel call has used the ticket, and uses it. */
export const consumeLoginTicket = (db: Db, accountId: number, hash: string, now: number) => ({
  openTicket: guard(
    db,
    sql`exists (select 1 from login_tickets where ticket_hash = ${hash} and used_at is null and expires_at > ${now})`,
    violation('LOGIN_TICKET_BAD'),
  ),
  ticket: db
    .update(loginTickets)
    .set({ usedAt: now })
    .where(and(eq(loginTickets.ticketHash, hash), eq(loginTickets.accountId, accountId))),
})
