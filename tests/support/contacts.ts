import { and, desc, eq } from 'drizzle-orm'
import { contactsApi } from '#contract/contacts/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/monitor.ts'
import { type Caller, unique } from './fixtures.ts'
import { call, db } from './test-worker.ts'

export const uniqueEmail = () => `${unique('c')}@contacts.example`

/** Mails to an address, newest first. */
export const mailsTo = (email: string) =>
  db
    .select({ subject: outbox.subject, text: outbox.body })
    .from(outbox)
    .where(and(eq(outbox.kind, 'mail'), eq(outbox.recipient, email)))
    .orderBy(desc(outbox.id))

/** The secret of the newest verification mail to an address. */
export async function lastSecret(email: string): Promise<string> {
  const [mail] = await mailsTo(email)
  return /\/validate\/email\?s=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

export const contactRow = async (uuid: string) => (await db.select().from(contacts).where(eq(contacts.uuid, uuid)))[0]!

/** An unverified contact of this account. */
export async function createContact(by: Caller, email = uniqueEmail(), name = '张三') {
  const { data, code, msg } = await by.call(contactsApi.create, { name, email })
  if (code !== 200) throw new Error(msg)
  return { uuid: data.uuid, email, name }
}

export async function createVerifiedContact(by: Caller, email = uniqueEmail(), name = '张三') {
  const contact = await createContact(by, email, name)
  await call(contactsApi.validateEmail, { s: await lastSecret(email) })
  return contact
}
