import { type SQL, eq, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { captchas } from '#db/schema/accounts.ts'

export const insertCaptcha = (db: Db, row: typeof captchas.$inferInsert) => db.insert(captchas).values(row)

/** Condition: the captcha is correct. Put `consumeCaptcha` after the statements that use it. */
export const isCaptchaValid = (uniqid: string, answer: string, now: number): SQL =>
  sql`exists (select 1 from captchas where uniqid = ${uniqid} and answer = ${answer} and expires_at > ${now})`

/** Consumes a captcha, correct or not, and returns it. */
export const consumeCaptcha = (db: Db, uniqid: string) =>
  db
    .delete(captchas)
    .where(eq(captchas.uniqid, uniqid))
    .returning({ answer: captchas.answer, expiresAt: captchas.expiresAt })
