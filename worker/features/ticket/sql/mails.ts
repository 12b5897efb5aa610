import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { ticketReplies, tickets } from '#db/schema/tickets.ts'

/** Replies of advisers whose mail is due, of tickets that still exist. */
export const selectDueReplyMails = (db: Db, now: number, limit: number) =>
  db
    .select({
      id: ticketReplies.id,
      accountId: ticketReplies.accountId,
      reply: ticketReplies.content,
      images: sql<number>`json_array_length(${ticketReplies.files})`.as('images'),
      repliedAt: ticketReplies.createdAt,
      tries: ticketReplies.mailTries,
      number: tickets.number,
      title: tickets.title,
      to: sql<string>`${accounts.email}`.as('recipient'),
      host: accounts.host,
    })
    .from(ticketReplies)
    .innerJoin(tickets, and(eq(tickets.id, ticketReplies.ticketId), isNull(tickets.deletedAt)))
    .innerJoin(accounts, and(eq(accounts.id, ticketReplies.accountId), sql`${accounts.email} is not null`))
    .where(lte(ticketReplies.mailDueAt, now))
    .orderBy(asc(ticketReplies.mailDueAt))
    .limit(limit)
export type DueReplyMail = Awaited<ReturnType<typeof selectDueReplyMails>>[number]

interface Claim {
  readonly accountId: number
  readonly id: number
  readonly now: number
  /** When it is tried again unless it was sent; null: this is the last try. */
  readonly againAt: number | null
}

/** Takes a mail for this run; no row where a parallel run has taken it. */
export const claimReplyMail = (db: Db, { accountId, id, now, againAt }: Claim) =>
  db
    .update(ticketReplies)
    .set({ mailDueAt: againAt, mailTries: sql`${ticketReplies.mailTries} + 1` })
    .where(and(eq(ticketReplies.accountId, accountId), eq(ticketReplies.id, id), lte(ticketReplies.mailDueAt, now)))
    .returning({ id: ticketReplies.id })

export const finishReplyMail = (db: Db, accountId: number, id: number) =>
  db
    .update(ticketReplies)
    .set({ mailDueAt: null })
    .where(and(eq(ticketReplies.accountId, accountId), eq(ticketReplies.id, id)))
