import type { MailPort } from '#contract/kernel/outside.ts'
import { within } from '#db/timeout.ts'
import type { Db } from '#db/client.ts'
import { type DueReplyMail, finishReplyMail } from '#features/ticket/sql/mails.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { replyMail, ticketUrl } from '#domain/ticket/notices.ts'
import { faultText, log } from './log.ts'

const MAIL_MS = 10_000

interface MailContext {
  readonly db: Db
  readonly mail: Pick<MailPort, 'send'>
  /** Of a local run (domain/site/brand.ts). */
  readonly localOrigin?: string | undefined
  readonly requestId: string
}

type ReplyMail = Omit<DueReplyMail, 'repliedAt' | 'tries'>

/** Mails a reply that is claimed, by the account's brand; one that is refused stays due. Its id is the same at each try. */
export async function sendReplyMail(
  { db, mail, localOrigin, requestId }: MailContext,
  { id, accountId, to, host: accountHost, ...reply }: ReplyMail,
): Promise<void> {
  const host = hostOfAccount(accountHost)
  const url = ticketUrl(toConsoleOrigin(host, localOrigin), reply.number)
  const content = replyMail({ host, url, ...reply })
  try {
    await within(MAIL_MS, mail.send(to, { ...content, host, eventId: `ticket-reply-${id}` }))
  } catch (error) {
    return log('error', 'ticket_mail', { requestId, error: faultText(error) })
  }
  await finishReplyMail(db, accountId, id)
}
