import { asc, eq, lte, sql, and, isNull } from 'drizzle-orm'
import { TICKET_STATUS, type TicketStatus } from '#contract/ticket/index.ts'
import { type CronRun, auditSystemRows } from '#db/audit.ts'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { tickets, ticketReplies } from '#db/schema/tickets.ts'

/* Statements of the cron on support tickets: due steps (warning, closing, purging), and due mails of replies. */

export const selectDueTickets = (db: Db, now: number, limit: number) =>
  db
    .select({
      id: tickets.id,
      accountId: tickets.accountId,
      number: tickets.number,
      title: tickets.title,
      status: tickets.status,
      answeredAt: tickets.answeredAt,
      warnedAt: tickets.warnedAt,
      deletedAt: tickets.deletedAt,
      dueAt: sql<number>`${tickets.dueAt}`.as('due_at'),
      hub: accounts.hub,
    })
    .from(tickets)
    .innerJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(lte(tickets.dueAt, now))
    .orderBy(asc(tickets.dueAt))
    .limit(limit)
export type DueTicket = Awaited<ReturnType<typeof selectDueTickets>>[number]

export interface TicketStep {
  readonly id: number
  readonly accountId: number
  /** `dueAt` at the time of reading; another value now means that a reply or a parallel run has changed it. */
  readonly dueAt: number
  readonly status: TicketStatus
  readonly warnedAt: number | null
  readonly nextAt: number | null
  /** Event id of the message; null without a message. */
  readonly eventId: string | null
  readonly title: string
  readonly content: string
}

type Due = Pick<TicketStep, 'id' | 'accountId' | 'dueAt'>

/** Tickets that still await these steps. Runs before `moveTickets`, which sets the next time. */
const awaited = (steps: readonly Due[]) => sql`
  from json_each(${JSON.stringify(steps)}) s
  join tickets t on t.id = s.value ->> 'id' and t.account_id = s.value ->> 'accountId' and t.due_at = s.value ->> 'dueAt'`

export const insertTicketMessages = (db: Db, steps: readonly TicketStep[], now: number) =>
  db.run(sql`
    insert into messages (account_id, event_id, type, title, content, person, ticket_number, created_at)
    select t.account_id, s.value ->> 'eventId', '工单', s.value ->> 'title', s.value ->> 'content', t.person, t.number, ${now}
    ${awaited(steps)} where s.value ->> 'eventId' is not null on conflict (event_id) do nothing`)

export const auditClosed = (db: Db, run: CronRun, steps: readonly TicketStep[]) =>
  auditSystemRows(
    db,
    run,
    { module: 'ticket', action: 'close', message: '工单“{name}”长时间没有新的回复，已自动关闭' },
    sql`select t.account_id, t.number as target, t.title as name ${awaited(steps)}
      where s.value ->> 'status' = ${TICKET_STATUS.closed} and s.value ->> 'eventId' is not null`,
  )

export const moveTickets = (db: Db, steps: readonly TicketStep[], now: number) =>
  db.run(sql`
    update tickets set status = s.value ->> 'status', warned_at = s.value ->> 'warnedAt', due_at = s.value ->> 'nextAt',
      closed_at = case when s.value ->> 'status' = ${TICKET_STATUS.closed} then coalesce(closed_at, ${now}) else closed_at end,
      updated_at = ${now}, revision = revision + 1
    from json_each(${JSON.stringify(steps)}) s
    where tickets.id = s.value ->> 'id' and tickets.account_id = s.value ->> 'accountId'
      and tickets.due_at = s.value ->> 'dueAt'`)

/** Deletes rows of files; the sweep deletes their objects later (worker/features/file/orphans.ts). */
export const purgeFiles = (db: Db, due: readonly Due[]) =>
  db.run(sql`
    delete from files where (account_id, attached_to) in (select t.account_id, 'ticket:' || t.number ${awaited(due)})`)

export const purgeTickets = (db: Db, due: readonly Due[]) =>
  db.run(sql`delete from tickets where (account_id, id) in (select t.account_id, t.id ${awaited(due)})`)

/** Advisers' replies whose mail is due, in tickets that still exist. */
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
  /** Time of the next try, unless it is sent; null for the last try. */
  readonly againAt: number | null
}

/** Takes a mail for this run; no row if a parallel run has taken it. */
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
