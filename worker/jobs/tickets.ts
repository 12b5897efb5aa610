import { TICKET_STATUS } from '#contract/ticket/index.ts'
import { TICKET_MAIL } from '#contract/ticket/limits.ts'
import type { CronRun } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { type OutboxContext, notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { mapLimit } from '#db/concurrency.ts'
import { closedMessage, warningMessage } from '#domain/ticket/notices.ts'
import { dueTime, nextStep } from '#domain/ticket/status.ts'
import { sendReplyMail } from '#features/ticket/service.ts'
import {
  type DueTicket,
  type TicketStep,
  auditClosed,
  insertTicketMessages,
  moveTickets,
  purgeFiles,
  purgeTickets,
  selectDueTickets,
  type DueReplyMail,
  claimReplyMail,
  selectDueReplyMails,
} from '#features/ticket/sql/due.ts'
import type { MailContext } from './mail-context.ts'

/* Jobs of support tickets: warning, close and deletion of due ones, and repeated mails of replies. */

/** Tickets of one batch and most batches of one run; the next run takes the rest. */
const PORTION = 100
const PORTIONS = 20

/** Warns of tickets without an answer, closes them, and deletes tickets that were hidden long enough. */
export async function moveDueTickets(ctx: OutboxContext & CronRun): Promise<void> {
  const { db, now } = ctx
  for (let portions = 1; portions <= PORTIONS; portions++) {
    const due = await selectDueTickets(db, now, PORTION)
    if (due.length === 0) return
    const purged = due.filter((ticket) => nextStep(ticket)?.task === 'purge')
    const steps = due.filter((ticket) => !purged.includes(ticket)).map((ticket) => toStep(ticket, now))
    const hubs = [...new Set(due.filter((ticket) => !purged.includes(ticket)).map(({ hub }) => hub))]
    await batch(db, {
      messages: steps.length > 0 && insertTicketMessages(db, steps, now),
      audit: steps.length > 0 && auditClosed(db, ctx, steps),
      hubs: notifyHubs(ctx, refreshTasks('account', hubs)),
      moved: steps.length > 0 && moveTickets(db, steps, now),
      files: purged.length > 0 && purgeFiles(db, purged),
      purged: purged.length > 0 && purgeTickets(db, purged),
    })
    if (due.length < PORTION) return
  }
}

/** Next step of a due ticket. A ticket that needs no step under the present rule only loses its due time. */
function toStep(ticket: DueTicket, now: number): TicketStep {
  const { id, accountId, dueAt, status, warnedAt } = ticket
  const key = { id, accountId, dueAt }
  const task = nextStep(ticket)?.task
  if (task === 'warn')
    return {
      ...key,
      status,
      warnedAt: now,
      nextAt: dueTime({ ...ticket, warnedAt: now }),
      eventId: `ticket:${id}:warn:${dueAt}`,
      ...warningMessage(ticket),
    }
  if (task === 'close')
    return {
      ...key,
      status: TICKET_STATUS.closed,
      warnedAt,
      nextAt: null,
      eventId: `ticket:${id}:close:${dueAt}`,
      ...closedMessage(ticket),
    }
  return { ...key, status, warnedAt, nextAt: null, eventId: null, title: '', content: '' }
}

/** Most mails of one run; the next run takes the rest. */
const MAILS = 100
const AT_ONCE = 10

/** Sends again mails of replies that the mail server refused, after longer waits each time. */
export async function mailTicketReplies(ctx: MailContext): Promise<void> {
  const { db, now, runId } = ctx
  const due = await selectDueReplyMails(db, now, MAILS)
  await mapLimit(due, AT_ONCE, async (reply) => {
    const { accountId, id } = reply
    const [claimed] = await claimReplyMail(db, { accountId, id, now, againAt: nextTry(reply, now) })
    if (claimed) await sendReplyMail({ ...ctx, requestId: runId }, reply)
  })
}

function nextTry({ tries, repliedAt }: DueReplyMail, now: number): number | null {
  const at = now + Math.min(TICKET_MAIL.retryMaxMs, TICKET_MAIL.retryMs * 2 ** Math.min(tries, 10))
  return at - repliedAt > TICKET_MAIL.giveUpMs ? null : at
}
