import type { TicketImage, TicketView } from '#contract/ticket/index.ts'
import type { Snapshot } from '#contract/ticket/snapshot.ts'
import type { StoredReply, StoredTicket } from './sql/tickets.ts'
import type { Ctx } from '#http/context.ts'
import { signedFileAddress } from '#features/file/service.ts'
import type { selectAttached } from '#features/file/sql.ts'
import type { MailPort } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'
import { within } from '#db/concurrency.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { replyMail, ticketUrl } from '#domain/ticket/notices.ts'
import { faultText, log } from '#http/log.ts'
import { type DueReplyMail, finishReplyMail } from './sql/due.ts'

/* Support tickets for other features: the mail of an adviser's reply, and the view of a ticket. */

const MAIL_MS = 10_000

interface MailContext {
  readonly db: Db
  readonly mail: Pick<MailPort, 'send'>
  /** Origin of a local run (domain/site/brand.ts). */
  readonly localOrigin?: string | undefined
  readonly requestId: string
}

type ReplyMail = Omit<DueReplyMail, 'repliedAt' | 'tries'>

/** Mails a claimed reply with the account's brand. A refused one stays due, and keeps its id at each try. */
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

/** View of a ticket with its conversation. Addresses of images are valid for 10 minutes. */
export async function toTicketView(
  ctx: Ctx,
  ticket: StoredTicket,
  replies: readonly StoredReply[],
  files: Awaited<ReturnType<typeof selectAttached>>,
): Promise<TicketView> {
  const images = new Map<string, TicketImage>()
  for (const { key, name } of files)
    images.set(key, { file_id: key, name, src: await signedFileAddress(ctx, key, ticket.accountId) })
  const imagesOf = (keys: string) => (JSON.parse(keys) as string[]).flatMap((key) => images.get(key) ?? [])
  const { grade, appraisal } = ticket
  return {
    ticket_number: ticket.number,
    ticket_title: ticket.title,
    ticket_type: ticket.type,
    ticket_status: ticket.status,
    create_time: ticket.createdAt,
    update_time: ticket.updatedAt,
    author: ticket.author,
    ticket_content: ticket.content,
    images: imagesOf(ticket.files),
    snapshot: toSnapshot(ticket.snapshot),
    dialogue: replies.map(({ files: keys, snapshot, ...reply }) => ({
      ...reply,
      images: imagesOf(keys),
      snapshot: toSnapshot(snapshot),
    })),
    appraise: grade === null ? null : { grade, content: appraisal },
    close_time: ticket.closedAt,
  }
}

const toSnapshot = (json: string | null): Snapshot | null => (json === null ? null : (JSON.parse(json) as Snapshot))
