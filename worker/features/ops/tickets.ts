import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { TICKET_MAIL } from '#contract/ticket/limits.ts'
import { TICKET_STATUS, TICKET_STATUS_WORD, TICKET_TYPES } from '#contract/ticket/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { replyMessage, stepMessage } from '#domain/ticket/notices.ts'
import { checkReply, checkStep, statusAfterReply, dueTime } from '#domain/ticket/status.ts'
import { insertMessage } from '#features/message/sql.ts'
import { type StoredTicket, insertReply, ticketHolder, updateTicket } from '#features/ticket/sql/tickets.ts'
import type { Ctx } from '#http/context.ts'
import { checkFile, storeFile } from '#features/file/service.ts'
import { toTicketView, sendReplyMail } from '#features/ticket/service.ts'
import { operatorAudit } from './audit.ts'
import { selectSupportReplies, selectSupportTicket, selectSupportTickets, selectTicketFiles } from './sql/tickets.ts'

/* Operator's side of support tickets: list, one ticket, reply, status. */

type Api = typeof opsApi
type OpsInput<K extends keyof Api> = Parsed<Api[K]>

const { closed } = TICKET_STATUS

export async function listTickets(ctx: Ctx, filter: OpsInput<'listTickets'>) {
  const rows = await selectSupportTickets(ctx.db, filter)
  return rows.map((row) => ({ ...row, type: TICKET_TYPES[row.type], status: TICKET_STATUS_WORD[row.status] }))
}

/** Ticket with its images. Their addresses have the account's own host, so that the operator can open them in a browser. */
export async function showTicket(ctx: Ctx, { number }: OpsInput<'showTicket'>): Promise<Output<Api['showTicket']>> {
  const { found, replies, files } = await batch(ctx.db, {
    found: selectSupportTicket(ctx.db, number),
    replies: selectSupportReplies(ctx.db, number),
    files: selectTicketFiles(ctx.db, number),
  })
  const ticket = found[0] ?? refuse('TICKET_NOT_FOUND')
  const { images, dialogue, ...view } = await toTicketView(ctx, ticket, replies, files)
  const origin = toOrigin(ctx, ticket)
  const toAbsolute = (list: typeof images) => list.map((image) => ({ ...image, src: `${origin}${image.src}` }))
  return {
    ...view,
    account: ticket.account,
    images: toAbsolute(images),
    dialogue: dialogue.map((reply) => ({ ...reply, images: toAbsolute(reply.images) })),
  }
}

/** Replies to a ticket, with a site message to its author and a mail to the account (the cron repeats a refused one). */
export async function replyTicket(ctx: Ctx, { number, content, name, files }: OpsInput<'replyTicket'>): Promise<void> {
  const { db, now } = ctx
  const uploads = await Promise.all(files.map(toUpload))
  for (const upload of uploads) checkFile(upload) // one refused file refuses the whole reply before anything is stored
  const ticket = await requireTicket(ctx, number)
  throwIf(checkReply(ticket))
  const status = statusAfterReply('adviser', ticket.status) ?? refuse('TICKET_CLOSED')
  const { accountId } = ticket
  const owner = { accountId, createdBy: name, person: 'operator', attachedTo: ticketHolder(number) }
  const stored = await Promise.all(uploads.map((upload) => storeFile(ctx, upload, owner)))
  const { reply: inserted } = await batch(db, {
    ...Object.fromEntries(stored.map(({ key, insert }) => [`file ${key}`, insert])),
    ...updateTicket(db, ticket, {
      status,
      answeredAt: now,
      warnedAt: null,
      updatedAt: now,
      dueAt: dueTime({ status, answeredAt: now, warnedAt: null, deletedAt: null }),
    }),
    reply: insertReply(db, {
      accountId,
      ticketId: ticket.id,
      side: 'adviser',
      name,
      content,
      files: JSON.stringify(stored.map(({ key }) => key)),
      createdAt: now,
      ...(ticket.email !== null && { mailDueAt: now + TICKET_MAIL.retryMs, mailTries: 1 }), // first try: after the answer
    }),
    message: insertTicketMessage(ctx, ticket, `reply:${ticket.replies + 1}`, replyMessage(ticket, content)),
    ...notices(ctx, ticket, 'reply', `运营回复工单“${ticket.title}”`),
  })
  const [row] = inserted
  const { email: to, host, title } = ticket
  if (to === null || !row) return
  const mail = { id: row.id, accountId, to, host, number, title, reply: content, images: stored.length }
  const { requestId, outside, env } = ctx
  ctx.afterAnswer(() => sendReplyMail({ db, mail: outside.mail, localOrigin: env.LOCAL_ORIGIN, requestId }, mail))
}

export async function setTicketStatus(ctx: Ctx, { number, status }: OpsInput<'ticketStatus'>): Promise<void> {
  const { db, now } = ctx
  const ticket = await requireTicket(ctx, number)
  throwIf(checkStep(ticket, status))
  await batch(db, {
    ...updateTicket(db, ticket, { status, closedAt: status === closed ? now : null, updatedAt: now, dueAt: null }),
    message: insertTicketMessage(ctx, ticket, `status:${status}`, stepMessage(ticket, status)),
    ...notices(ctx, ticket, 'status', `运营将工单“${ticket.title}”改为${TICKET_STATUS_WORD[status]}`),
  })
}

function insertTicketMessage(
  { db, now }: Ctx,
  { id, accountId, person, number }: StoredTicket,
  event: string,
  text: ReturnType<typeof stepMessage>,
) {
  const eventId = `ticket:${id}:${event}:${now}`
  return insertMessage(db, { accountId, eventId, type: '工单', ...text, person, ticketNumber: number, createdAt: now })
}

/** Audit row in the account's log, and a refresh of its hub, which updates open consoles. */
const notices = (ctx: Ctx, ticket: StoredTicket, action: string, message: string) => ({
  audit: operatorAudit(ctx, ticket.accountId, { action: `ticket/${action}`, target: ticket.number, message }),
  hubs: notifyHubs(ctx, refreshTasks('account', [ticket.hub])),
})

const requireTicket = (ctx: Ctx, number: string): Promise<StoredTicket> =>
  requireRow(selectSupportTicket(ctx.db, number), 'TICKET_NOT_FOUND')

const toOrigin = ({ env }: Ctx, { host }: StoredTicket): string =>
  toConsoleOrigin(hostOfAccount(host), env.LOCAL_ORIGIN)

async function toUpload(file: OpsInput<'replyTicket'>['files'][number]) {
  return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name, purpose: 'ticket_image' } as const
}
