import { desc, eq } from 'drizzle-orm'
import { verifyApi } from '#contract/verify/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { messages } from '#db/schema/notices.ts'
import { type Caller, createMainAccount, createSession, unique } from './fixtures.ts'
import { lastCode } from './identity.ts'
import { createPhone } from './otp.ts'
import { db } from './test-worker.ts'
import { accountApi } from '#contract/account/index.ts'

/** A main account with a phone ('+86 …') and an e-mail of its own. */
export async function createPerson() {
  const phone = createPhone()
  const email = `${unique('m')}@example.com`
  const main = await createMainAccount({ phone: phone.slice(4), email })
  return { main, phone, email }
}

/** Another session of the same person. */
export const signInAgain = ({ session }: Pick<Caller, 'session'>) => createSession(session)

/** Does the identity step by the phone. */
export async function proveByPhone({ call }: Pick<Caller, 'call'>, phone: string) {
  await call(accountApi.defaultPhone, {})
  return call(verifyApi.verify, { send_type: 'phone', verify_type: 'verify_phone', code: (await lastCode(phone))! })
}

/** A code that went to a contact that is to be bound. */
export async function sendNewCode({ call }: Pick<Caller, 'call'>, to: string): Promise<string> {
  const input = to.includes('@')
    ? ({ send_type: 'email', verify_type: 'verify_email', send_value: to } as const)
    : ({ send_type: 'phone', verify_type: 'verify_phone', send_value: to } as const)
  await call(verifyApi.sendCode, input)
  return (await lastCode(to))!
}

/** Text of the last SMS or mail that went there. */
export async function lastText(to: string): Promise<string> {
  const [row] = await db.select().from(outbox).where(eq(outbox.recipient, to)).orderBy(desc(outbox.id)).limit(1)
  return row?.body ?? ''
}

export const selectMessages = (accountId: number) =>
  db.select().from(messages).where(eq(messages.accountId, accountId)).orderBy(messages.id)

/** A code that is not this one. */
export const otherThan = (code: string): string => (code === '000000' ? '111111' : '000000')
