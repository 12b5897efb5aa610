import { TICKET_MAIL } from '#contract/ticket/limits.ts'
import { mapLimit } from '#db/map-limit.ts'
import { sendReplyMail } from '#features/ticket/service.ts'
import { type DueReplyMail, claimReplyMail, selectDueReplyMails } from '#features/ticket/sql/mails.ts'
import type { MailContext } from './mail-context.ts'

/** Mails that one run takes; the next run takes the rest. */
const PORTION = 100
const AT_ONCE = 10

/** Sends again what the mail server refused when an adviser replied, later each time. */
export async function mailTicketReplies(ctx: MailContext): Promise<void> {
  const { db, now, runId } = ctx
  const due = await selectDueReplyMails(db, now, PORTION)
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
