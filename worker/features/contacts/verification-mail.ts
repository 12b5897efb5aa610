import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { violation } from '#contract/kernel/result.ts'
import { type Statements, batch } from '#db/batch.ts'
import { guard } from '#db/guard.ts'
import { guardRate, isWithinLimit, recordAttempt, undoAttempt } from '#db/rate-limit.ts'
import { verificationMail, verificationUrl } from '#domain/contacts/mails.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { contactLinkHash } from '#security/contact-links.ts'
import { randomToken } from '#security/secrets.ts'
import { deleteLinks, insertLink, saveMailState, selectOwner } from './sql/contacts.ts'
import { CONTACT } from '#contract/contacts/limits.ts'

interface Recipient {
  readonly uuid: string
  readonly email: string
}

/** Counters of the mails that go to this contact: the last one of the account, so that it is what refuses last. */
const createCounterKeys = (accountId: number, { uuid, email }: Recipient) => ({
  wait: `contact_mail:${accountId}:${email}`,
  contact: `contact_mails:${accountId}:${uuid}`,
  address: `contact_mails:${accountId}:${email}`, // a contact that is deleted and added again is mailed no more often
  account: `contact_mails:${accountId}`,
})

/** Statements that count a mail against its limits, and refuse the batch beyond them. */
function countMail({ db, now }: Ctx, accountId: number, to: Recipient) {
  const keys = createCounterKeys(accountId, to)
  const { mails, accountMails, resendSeconds } = CONTACT
  const [daily, inAll] = [
    violation('CONTACT_MAILS_DAILY', { limit: mails.limit }),
    violation('CONTACT_MAILS_ACCOUNT', { limit: accountMails.limit }),
  ]
  return {
    wait: guardRate(db, keys.wait, { limit: 1, windowMs: resendSeconds * 1000 }, now),
    contactCount: recordAttempt(db, keys.contact, mails.windowMs, now),
    contactLimit: guard(db, isWithinLimit(keys.contact, mails.limit), daily),
    addressCount: recordAttempt(db, keys.address, mails.windowMs, now),
    addressLimit: guard(db, isWithinLimit(keys.address, mails.limit), daily),
    accountCount: recordAttempt(db, keys.account, accountMails.windowMs, now),
    accountLimit: guard(db, isWithinLimit(keys.account, accountMails.limit), inAll),
  }
}

/** Columns of a contact to which a mail is sent. */
export const pendingMail = (now: number) => ({ mailState: 'pending', mailAt: now }) as const

/**
 * Runs the batch of a change that sends a verification mail: its statements first, then what counts the mail and stores its
 * link. The mail itself is sent after the response; what its provider says is stored in the contact's row.
 */
export async function batchWithMail<const S extends Statements>(
  ctx: Ctx,
  to: Recipient,
  statements: S,
  { isNewAddress = false }: { readonly isNewAddress?: boolean } = {},
): Promise<void> {
  const { db, now, env } = ctx
  const accountId = requireAccountId(ctx)
  const s = randomToken()
  const tokenHash = await contactLinkHash(env.HMAC_SECRET, s)
  const expiresAt = now + CONTACT.linkHours * 3_600_000
  const { owners } = await batch(db, {
    ...statements,
    ...countMail(ctx, accountId, to),
    links: isNewAddress && deleteLinks(db, accountId, to.uuid),
    link: insertLink(db, { accountId, uuid: to.uuid, tokenHash, expiresAt }),
    owners: selectOwner(db, accountId),
  })
  const host = hostOfAccount(owners[0]?.host ?? '')
  const mail = verificationMail(
    host,
    owners[0]?.nickname ?? '',
    verificationUrl(toConsoleOrigin(host, env.LOCAL_ORIGIN), s),
  )
  ctx.afterAnswer(() => sendMail(ctx, accountId, to, { ...mail, host }))
}

/** A mail that the provider refuses costs nobody a try. */
async function sendMail(ctx: Ctx, accountId: number, to: Recipient, mail: OutgoingMail): Promise<void> {
  const { db, now, outside, requestId } = ctx
  try {
    await outside.mail.send(to.email, mail)
  } catch (error) {
    log('error', 'contact_mail', { requestId, error: faultText(error) })
    const { wait, contact, address, account } = createCounterKeys(accountId, to)
    await batch(db, {
      state: saveMailState(db, accountId, to.uuid, now, 'failed'),
      wait: undoAttempt(db, wait),
      contact: undoAttempt(db, contact),
      address: undoAttempt(db, address),
      account: undoAttempt(db, account),
    })
    return
  }
  await saveMailState(db, accountId, to.uuid, now, 'sent')
}
