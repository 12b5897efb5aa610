import { type SQL, eq, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { captchas } from './schema/accounts.ts'

export const insertCaptcha = (db: Db, row: typeof captchas.$inferInsert) => db.insert(captchas).values(row)

/** The captcha is right at this point of the batch; put `consumeCaptcha` behind the statements that ask. */
export const isCaptchaValid = (uniqid: string, answer: string, now: number): SQL =>
  sql`exists (select 1 from captchas where uniqid = ${uniqid} and answer = ${answer} and expires_at > ${now})`

/** Uses a captcha up, whatever was typed, and returns it. */
export const consumeCaptcha = (db: Db, uniqid: string) =>
  db
    .delete(captchas)
    .where(eq(captchas.uniqid, uniqid))
    .returning({ answer: captchas.answer, expiresAt: captchas.expiresAt })
