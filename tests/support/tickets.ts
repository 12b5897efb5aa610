import { eq } from 'drizzle-orm'
import type { Input } from '#contract/kernel/endpoint.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { tickets } from '#db/schema/tickets.ts'
import type { Caller } from './fixtures.ts'
import { createPng } from './images.ts'
import { db } from './test-worker.ts'

export const FORM = { title: '无法连接', content: '上海总部从今天早上起无法连接分支', type: 2 } as const

/** Submits a ticket; answers its number. */
export async function submitTicket({ call }: Pick<Caller, 'call'>, over: Partial<Input<typeof ticketApi.create>> = {}) {
  return (await call(ticketApi.create, { ...FORM, ...over })).data.ticket_number
}

export const ticketRow = async (number: string) =>
  (await db.select().from(tickets).where(eq(tickets.number, number)))[0]!

/** Columns that no call sets, or not to such a time. */
export const setTicket = (number: string, set: Partial<typeof tickets.$inferInsert>) =>
  db.update(tickets).set(set).where(eq(tickets.number, number))

export const imageFile = (name = '截图.png', bytes: Uint8Array = createPng()) =>
  new File([bytes as Uint8Array<ArrayBuffer>], name)

/** Uploads an image; answers its id. */
export const uploadImage = async ({ call }: Pick<Caller, 'call'>, file = imageFile()) =>
  (await call(ticketApi.uploadFile, { file })).data.file_id
