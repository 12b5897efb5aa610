import { Hono } from 'hono'
import { ticketApi } from '#contract/ticket/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { listTickets, readTicket } from './read.ts'
import { appraiseTicket, deleteTicket, reopenTicket } from './steps.ts'
import { uploadImage } from './upload.ts'
import { createTicket, replyToTicket } from './write.ts'

/* Endpoints of support tickets. */

export const ticketRoutes = new Hono<HonoEnv>()

mount(ticketRoutes, ticketApi, {
  lists: listTickets,
  info: readTicket,
  create: createTicket,
  reply: replyToTicket,
  appraise: appraiseTicket,
  reopen: reopenTicket,
  delete: deleteTicket,
  uploadFile: uploadImage,
})
