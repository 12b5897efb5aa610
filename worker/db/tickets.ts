import { type SQL, and, eq, isNull, sql } from 'drizzle-orm'
import type { TicketStatus } from '#contract/ticket/index.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import { guard } from './guard.ts'
import { accounts } from './schema/accounts.ts'
import { ticketReplies, tickets } from './schema/tickets.ts'

/** A ticket as a write has read it. */
export interface TicketKey {
  readonly id: number
  readonly accountId: number
  readonly status: TicketStatus
  readonly grade: number | null
}

type TicketSet = Partial<Omit<typeof tickets.$inferInsert, 'id' | 'accountId' | 'number' | 'revision'>> &
  Pick<typeof tickets.$inferInsert, 'updatedAt' | 'dueAt'>

/** Changes a ticket; the batch aborts where it has another status by now, was appraised or deleted. */
export function updateTicket(db: Db, { id, accountId, status, grade }: TicketKey, set: TicketSet) {
  const isAsRead = and(
    eq(tickets.accountId, accountId),
    eq(tickets.id, id),
    eq(tickets.status, status),
    grade === null ? isNull(tickets.grade) : eq(tickets.grade, grade),
    isNull(tickets.deletedAt),
  )
  return {
    asRead: guard(db, sql`exists (select 1 from tickets where ${isAsRead})`, violation('TICKET_CHANGED')),
    ticket: db
      .update(tickets)
      .set({ ...set, revision: sql`${tickets.revision} + 1` })
      .where(isAsRead),
  }
}

export const insertReply = (db: Db, row: typeof ticketReplies.$inferInsert) =>
  db.insert(ticketReplies).values(row).returning({ id: ticketReplies.id })

/** What holds the files of a ticket and its replies (`files.attached_to`). */
export const ticketHolder = (number: string): string => `ticket:${number}`

/** The ticket that the condition names, with what concerns its account. */
export const selectTicketRow = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      id: tickets.id,
      accountId: tickets.accountId,
      number: tickets.number,
      person: tickets.person,
      author: tickets.author,
      type: tickets.type,
      title: tickets.title,
      content: tickets.content,
      files: tickets.files,
      snapshot: tickets.snapshot,
      status: tickets.status,
      createdAt: tickets.createdAt,
      updatedAt: tickets.updatedAt,
      answeredAt: tickets.answeredAt,
      closedAt: tickets.closedAt,
      grade: tickets.grade,
      appraisal: tickets.appraisal,
      replies: sql<number>`(select count(*) from ticket_replies r where r.ticket_id = tickets.id)`.as('replies'),
      account: accounts.username,
      hub: accounts.hub,
      host: accounts.host,
      email: accounts.email,
    })
    .from(tickets)
    .innerJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(condition)
export type StoredTicket = Awaited<ReturnType<typeof selectTicketRow>>[number]

/** Replies of the ticket that the condition names, oldest first. */
export const selectReplies = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      reply_id: ticketReplies.id,
      side: ticketReplies.side,
      reply_name: ticketReplies.name,
      reply_time: ticketReplies.createdAt,
      dialogue_content: ticketReplies.content,
      files: ticketReplies.files,
      snapshot: ticketReplies.snapshot,
    })
    .from(ticketReplies)
    .where(sql`${ticketReplies.ticketId} in (select id from tickets where ${condition})`)
    .orderBy(ticketReplies.id)
export type StoredReply = Awaited<ReturnType<typeof selectReplies>>[number]
