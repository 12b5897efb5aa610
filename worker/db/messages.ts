import type { Db } from './client.ts'
import { messages } from './schema/notices.ts'

/** A site message; `eventId` makes its repetition fail, so that it stands in the batch of the change that it reports. */
export const insertMessage = (db: Db, row: typeof messages.$inferInsert) =>
  db.insert(messages).values(row).returning({ id: messages.id })
