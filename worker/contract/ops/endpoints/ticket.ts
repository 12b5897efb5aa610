import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { displayText, numeric, page, time, username } from '#contract/kernel/fields.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { TOO_MANY_FILES, replyContent, ticketNumber, ticketStatus, ticketView } from '#contract/ticket/index.ts'
import { IMAGE_RULE, uploadedFile } from '#contract/kernel/uploads.ts'

/* Operator's endpoints of support tickets. */

const number = ticketNumber
const row = z.object({
  number,
  account: z.string(),
  author: z.string(),
  type: z.string(),
  title: z.string(),
  status: z.string(),
  create_time: time,
  update_time: time,
})

export const ticketOps = {
  listTickets: read('ticket/list', 'operator:read', {
    summary:
      'Tickets that wait for an adviser, longest first; with --status those of that status, with --account its own',
    input: z.object({
      status: numeric(ticketStatus).optional(),
      account: username.optional(),
      page,
    }),
    output: z.array(row),
  }),
  showTicket: read('ticket/show', 'operator:read', {
    summary: 'One ticket with its conversation; addresses of images are good for 10 minutes',
    input: z.object({ number }),
    output: ticketView.extend({ account: z.string() }),
    example: { number: EXAMPLE.ticket_number },
  }),
  replyTicket: write('ticket/reply', 'operator:support', {
    body: 'multipart',
    maxBytes: UPLOAD.ticketFiles * UPLOAD.maxBytes + UPLOAD.overheadBytes,
    summary: 'Reply to a customer, with up to three images: --files a.png,b.png',
    input: z.object({
      number,
      content: replyContent,
      /** Name of the author for the customer. */
      name: displayText.min(1).max(24).default('技术顾问'),
      files: z.array(uploadedFile(IMAGE_RULE)).max(UPLOAD.ticketFiles, TOO_MANY_FILES).default([]),
    }),
    done: 'sent',
    example: { number: EXAMPLE.ticket_number, content: '请重启设备后再试。' },
  }),
  ticketStatus: write('ticket/status', 'operator:support', {
    summary: 'Begin with a ticket or open it again (2), or close it (4); 3 comes with a reply',
    input: z.object({ number, status: numeric(ticketStatus) }),
    done: 'set',
    example: { number: EXAMPLE.ticket_number, status: 2 },
  }),
} as const
