import { contactsApi } from '#contract/contacts/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { type Call, callEndpoint, outboxMail } from '#infra/local/api.ts'
import type { DemoContact } from './data.ts'

const DAY_MS = 86_400_000

/** Contacts of an account, each as its recipient has left it: by the link of its mail, then by the operator's end. */
export async function loadContacts(
  origin: string,
  { account, contacts }: { readonly account: string; readonly contacts: readonly DemoContact[] },
  api: Call,
  ops: Call,
  readMail?: ReadMail,
): Promise<void> {
  for (const { name, email, days } of contacts) {
    await api(contactsApi.create, { name, email })
    if (days === null) continue
    await openLink(origin, email, readMail)
    const end = days === undefined ? null : Date.now() + Math.round(days * DAY_MS)
    if (end !== null) await ops(opsApi.setContactExpiry, { account, email, expired_time: end })
  }
}

/** Text of the newest mail to an address. */
export type ReadMail = (to: string) => Promise<string>

/** Does what the recipient of a verification mail does. Mails are in the outbox, unless the run sends them somewhere else. */
export async function openLink(
  origin: string,
  email: string,
  readMail: ReadMail = (to) => outboxMail(origin, to),
): Promise<void> {
  const s = /\/validate\/email\?s=([\w-]+)/.exec(await readMail(email))?.[1] ?? ''
  await callEndpoint(origin, '/api/v1', contactsApi.validateEmail, { s })
}
