import { eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { codes } from '#db/schema/accounts.ts'
import { db } from './test-worker.ts'

let last = 0
/** A phone number that no other test has. */
export const createPhone = () =>
  `+86 188${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`

/** Makes every code that went to that phone or e-mail this much older. */
export const age = (target: string, ms: number) =>
  db
    .update(codes)
    .set({ sentAt: sql`${codes.sentAt} - ${ms}`, expiresAt: sql`${codes.expiresAt} - ${ms}` })
    .where(eq(codes.target, target))

/** The refusal of a second code within the pause. */
export const tooSoon = { code: 429, status: 429, msg: expect.stringMatching(/^验证码已发送，请\d+秒后重试$/) }
