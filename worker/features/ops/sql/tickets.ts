import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { TICKET_STATUS } from '#contract/ticket/index.ts'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { tickets } from '#db/schema/tickets.ts'
import { selectReplies, selectTicketRow, ticketHolder } from '#features/ticket/sql/tickets.ts'

/* Operator's statements that read support tickets of all accounts. */

const { waiting, processing } = TICKET_STATUS

/** Tickets of all accounts, longest waiting first. Without a status: those that wait for an adviser. */
export const selectSupportTickets = (db: Db, { status, account, page }: Parsed<typeof opsApi.listTickets>) =>
  db
    .select({
      number: tickets.number,
      account: accounts.username,
      author: tickets.author,
      type: tickets.type,
      title: tickets.title,
      status: tickets.status,
      create_time: tickets.createdAt,
      update_time: tickets.updatedAt,
    })
    .from(tickets)
    .innerJoin(accounts, eq(accounts.id, tickets.accountId))
    .where(
      and(
        isNull(tickets.deletedAt),
        inArray(tickets.status, status === undefined ? [waiting, processing] : [status]),
        account === undefined ? undefined : eq(accounts.username, account),
      ),
    )
    .orderBy(asc(tickets.updatedAt))
    .limit(ROWS_MAX)
    .offset((page - 1) * ROWS_MAX)

const isNumbered = (number: string) => and(eq(tickets.number, number), isNull(tickets.deletedAt))

export const selectSupportTicket = (db: Db, number: string) => selectTicketRow(db, isNumbered(number))

export const selectSupportReplies = (db: Db, number: string) => selectReplies(db, isNumbered(number))

export const selectTicketFiles = (db: Db, number: string) =>
  db
    .select({ key: files.key, name: files.name })
    .from(files)
    .innerJoin(tickets, eq(tickets.accountId, files.accountId))
    .where(and(eq(files.attachedTo, ticketHolder(number)), eq(tickets.number, number)))
