import { type SQL, and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import type { TicketStatus } from '#contract/ticket/index.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { tickets } from '#db/schema/tickets.ts'
import { selectReplies, selectTicketRow } from '#db/tickets.ts'
import { personKey } from '#domain/account/person.ts'

/**
 * The caller's own tickets; for the main account those of all its people. Ids of deleted sub-accounts are reused: what
 * is older than the sub-account is not its own.
 */
export function ticketScope(session: Session): SQL | undefined {
  const { accountId, ramId } = session
  const kept = and(eq(tickets.accountId, accountId), isNull(tickets.deletedAt))
  if (ramId === null) return kept
  const since = sql`(select created_at from ram_accounts where id = ${ramId} and account_id = ${accountId})`
  return and(kept, eq(tickets.person, personKey(session)), sql`${tickets.createdAt} >= ${since}`)
}

const isNumbered = (session: Session, number: string) => and(ticketScope(session), eq(tickets.number, number))

interface TicketFilter {
  readonly search: string
  readonly status: TicketStatus | ''
}

/** Tickets found by number and title. */
export const selectTickets = (db: Db, session: Session, { search, status }: TicketFilter) =>
  db
    .select({
      ticket_number: tickets.number,
      ticket_title: as(tickets.title, 'ticket_title'),
      ticket_type: as(tickets.type, 'ticket_type'),
      ticket_status: as(tickets.status, 'ticket_status'),
      create_time: tickets.createdAt,
      update_time: tickets.updatedAt,
      author: tickets.author,
    })
    .from(tickets)
    .where(
      and(
        ticketScope(session),
        search === '' ? undefined : or(contains(tickets.number, search), contains(tickets.title, search)),
        status === '' ? undefined : eq(tickets.status, status),
      ),
    )
    .orderBy(desc(tickets.id))

export const selectTicket = (db: Db, session: Session, number: string) =>
  selectTicketRow(db, isNumbered(session, number))

export const selectTicketReplies = (db: Db, session: Session, number: string) =>
  selectReplies(db, isNumbered(session, number))

export const selectAccountHub = (db: Db, accountId: number) =>
  db.select({ hub: accounts.hub }).from(accounts).where(eq(accounts.id, accountId))

export const insertTicket = (db: Db, row: typeof tickets.$inferInsert) => db.insert(tickets).values(row)
