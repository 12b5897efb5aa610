import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { Contact, contactsApi } from '#contract/contacts/index.ts'
import { CONTACT } from '#contract/contacts/limits.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { violation } from '#contract/kernel/result.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch, type Statements } from '#db/batch.ts'
import { mapUniqueViolation, guard } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { paged } from '#db/paged.ts'
import { guardRate, isWithinLimit, recordAttempt, undoAttempt } from '#db/rate-limit.ts'
import { requireRow } from '#db/require-row.ts'
import { UNVERIFIED, authorizeAt, isExpired, isVerified, verificationMailView } from '#domain/contacts/authorization.ts'
import { refuseMailsUrl, verificationMail, verificationUrl } from '#domain/contacts/messages.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { mayReadContacts, shownContact } from '#domain/contacts/shown-contact.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'
import { contactLinkHash, refusedAddressHash, signMailRefusal } from '#security/signed-links.ts'
import { randomToken } from '#security/secrets.ts'
import {
  deleteContact,
  guardAddress,
  guardContact,
  guardQuota,
  guardUnverified,
  guardVerified,
  insertContact,
  selectContact,
  selectContacts,
  updateContact,
  deleteLinks,
  insertLink,
  saveMailState,
  selectOwner,
} from './sql/contacts.ts'
import { guardMailAccepted } from './sql/mail-refusals.ts'

/* Contacts of an account: listed, added, edited, deleted, and sent mails to verify their address. */

type ContactInput<K extends keyof typeof contactsApi> = Parsed<(typeof contactsApi)[K]>
type ContactRow = Awaited<ReturnType<typeof selectContact>>[number]

const TAKEN = { 'contacts.account_id': violation('CONTACT_EMAIL_TAKEN') }

/** Makes the account's hub read again which contacts it may mail. */
const refreshHub = (ctx: Ctx, { hub }: ContactRow) => notifyHubs(ctx, refreshTasks('account', [hub]))

const audit = (ctx: Ctx, entry: Omit<AuditEntry, 'module'>) => auditRow(ctx, { module: 'contacts', ...entry })

const toContact = (row: Omit<ContactRow, 'hub'>, now: number): Contact => ({
  uuid: row.uuid,
  name: row.name,
  email: row.email,
  email_verify: toWireBoolean(isVerified(row)),
  email_verify_time: row.verifiedAt,
  expire_time: row.expiresAt,
  re_email_verify: toWireBoolean(!isExpired(row, now)),
  ...verificationMailView(row, now),
})

export async function listContacts(ctx: Ctx, { search, ...page }: ContactInput<'lists'>) {
  const { db, now } = ctx
  const { accountId, grants } = requireSession(ctx)
  if (search !== '' && !mayReadContacts(grants)) return { data: [], count: 0 } // it would find out masked letters
  const { data, count } = await paged(db, selectContacts(db, accountId, search).$dynamic(), page)
  return { data: data.map((row) => shownContact(grants, toContact(row, now))), count }
}

export const readContact = async (ctx: Ctx, { uuid }: ContactInput<'info'>): Promise<Contact> =>
  shownContact(requireSession(ctx).grants, toContact(await requireContact(ctx, uuid), ctx.now))

const requireContact = (ctx: Ctx, uuid: string): Promise<ContactRow> =>
  requireRow(selectContact(ctx.db, requireAccountId(ctx), uuid), 'CONTACT_NOT_FOUND')

export async function createContact(ctx: Ctx, given: ContactInput<'create'>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const uuid = crypto.randomUUID()
  const { name } = given
  const email = given.email.toLowerCase()
  const write = batchWithMail(
    ctx,
    { uuid, email },
    {
      quota: guardQuota(db, accountId),
      contact: insertContact(db, { accountId, uuid, name, email, ...pendingMail(now), createdAt: now }),
      audit: audit(ctx, { action: 'create', target: uuid, message: `添加联系人“${name}”`, after: { name, email } }),
    },
  )
  await mapUniqueViolation(write, TAKEN)
  return { uuid }
}

/** Edits a contact. A new name changes nothing else; a new address is unverified, and mails to the old one are void. */
export async function editContact(ctx: Ctx, { uuid, name, ...given }: ContactInput<'edit'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const before = await requireContact(ctx, uuid)
  const email = given.email.toLowerCase()
  const isNewAddress = email !== before.email
  if (!isNewAddress && name === before.name) return
  const entry = {
    action: 'edit',
    target: uuid,
    message: `修改联系人“${before.name}”`,
    before: { ...(name !== before.name && { name: before.name }), ...(isNewAddress && { email: before.email }) },
    after: { ...(name !== before.name && { name }), ...(isNewAddress && { email }) },
  }
  const guards = {
    exists: guardContact(db, accountId, uuid),
    address: guardAddress(db, accountId, before),
  }
  if (!isNewAddress) {
    await batch(db, { ...guards, contact: updateContact(db, accountId, uuid, { name }), audit: audit(ctx, entry) })
    return
  }
  const set = { name, email, ...UNVERIFIED, ...pendingMail(now) }
  const statements = {
    ...guards,
    contact: updateContact(db, accountId, uuid, set),
    audit: audit(ctx, entry),
    hubs: refreshHub(ctx, before),
  }
  await mapUniqueViolation(batchWithMail(ctx, { uuid, email }, statements, { isNewAddress }), TAKEN)
}

export async function removeContact(ctx: Ctx, { uuid }: ContactInput<'delete'>): Promise<void> {
  const { db } = ctx
  const accountId = requireAccountId(ctx)
  const row = await requireContact(ctx, uuid)
  const { name, email } = row
  await batch(db, {
    exists: guardContact(db, accountId, uuid),
    contact: deleteContact(db, accountId, uuid),
    audit: audit(ctx, { action: 'delete', target: uuid, message: `删除联系人“${name}”`, before: { name, email } }),
    hubs: refreshHub(ctx, row),
  })
}

export async function sendValidateEmail(ctx: Ctx, { uuid }: ContactInput<'sendValidateEmail'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const row = await requireContact(ctx, uuid)
  if (isVerified(row)) refuse('CONTACT_VERIFIED')
  const message = `向联系人“${row.name}”发送验证邮件`
  await batchWithMail(ctx, row, {
    exists: guardContact(db, accountId, uuid),
    address: guardAddress(db, accountId, row),
    unverified: guardUnverified(db, accountId, uuid),
    contact: updateContact(db, accountId, uuid, pendingMail(now)),
    audit: audit(ctx, { action: 'send_validate_email', target: uuid, message, after: { email: row.email } }),
  })
}

/** Renews an authorization, also an expired one, if the address was verified once. */
export async function renewAuthorization(ctx: Ctx, { uuid }: ContactInput<'updateVerify'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const row = await requireContact(ctx, uuid)
  if (!isVerified(row)) refuse('CONTACT_UNVERIFIED')
  const set = authorizeAt(now)
  await batch(db, {
    exists: guardContact(db, accountId, uuid),
    verified: guardVerified(db, accountId, uuid),
    contact: updateContact(db, accountId, uuid, set),
    audit: audit(ctx, {
      action: 'update_verify',
      target: uuid,
      message: `更新联系人“${row.name}”的授权`,
      before: { expiresAt: row.expiresAt },
      after: { expiresAt: set.expiresAt },
    }),
    hubs: refreshHub(ctx, row),
  })
}

type Recipient = Pick<ContactRow, 'uuid' | 'email'>

/** Keys of the counters of mails to this contact. The account's counter is the last, so that it refuses last. */
const createCounterKeys = (accountId: number, { uuid, email }: Recipient) => ({
  wait: `contact_mail:${accountId}:${email}`,
  contact: `contact_mails:${accountId}:${uuid}`,
  address: `contact_mails:${accountId}:${email}`, // a contact that is deleted and added again is mailed no more often
  everyone: `contact_mails:all:${email}`,
  account: `contact_mails:${accountId}`,
})

/** Statements that count a mail against its limits, and refuse the batch beyond them. */
function countMail({ db, now }: Ctx, accountId: number, to: Recipient) {
  const keys = createCounterKeys(accountId, to)
  const { mails, addressMails, accountMails, resendSeconds } = CONTACT
  const daily = violation('CONTACT_MAILS_DAILY', { limit: mails.limit })
  const inAll = violation('CONTACT_MAILS_ACCOUNT', { limit: accountMails.limit })
  return {
    wait: guardRate(db, keys.wait, { limit: 1, windowMs: resendSeconds * 1000 }, now),
    contactCount: recordAttempt(db, keys.contact, mails.windowMs, now),
    contactLimit: guard(db, isWithinLimit(keys.contact, mails.limit), daily),
    addressCount: recordAttempt(db, keys.address, mails.windowMs, now),
    addressLimit: guard(db, isWithinLimit(keys.address, mails.limit), daily),
    everyoneCount: recordAttempt(db, keys.everyone, addressMails.windowMs, now),
    everyoneLimit: guard(db, isWithinLimit(keys.everyone, addressMails.limit), violation('CONTACT_MAILS_ADDRESS')),
    accountCount: recordAttempt(db, keys.account, accountMails.windowMs, now),
    accountLimit: guard(db, isWithinLimit(keys.account, accountMails.limit), inAll),
  }
}

const pendingMail = (now: number) => ({ mailState: 'pending', mailAt: now }) as const

/**
 * Runs the batch of a change that sends a verification mail: first its statements, then those that count the mail and store
 * its link. The mail is sent after the response; the provider's answer is stored in the contact's row.
 */
async function batchWithMail<const S extends Statements>(
  ctx: Ctx,
  to: Recipient,
  statements: S,
  { isNewAddress = false }: { readonly isNewAddress?: boolean } = {},
): Promise<void> {
  const { db, now, env } = ctx
  const accountId = requireAccountId(ctx)
  const s = randomToken()
  const secret = env.HMAC_SECRET
  const tokenHash = await contactLinkHash(secret, s)
  const addressHash = await refusedAddressHash(secret, to.email)
  const expiresAt = now + CONTACT.linkHours * 3_600_000
  const { owners } = await batch(db, {
    ...statements,
    accepted: guardMailAccepted(db, addressHash),
    ...countMail(ctx, accountId, to),
    links: isNewAddress && deleteLinks(db, accountId, to.uuid),
    link: insertLink(db, { accountId, uuid: to.uuid, tokenHash, expiresAt }),
    owners: selectOwner(db, accountId),
  })
  const host = hostOfAccount(owners[0]?.host ?? '')
  const origin = toConsoleOrigin(host, env.LOCAL_ORIGIN)
  const refuseUrl = refuseMailsUrl(origin, await signMailRefusal(secret, to.email))
  const mail = verificationMail(host, owners[0]?.nickname ?? '', verificationUrl(origin, s), refuseUrl)
  ctx.afterAnswer(() => sendMail(ctx, accountId, to, { ...mail, host }))
}

/** Sends the mail. If the provider refuses it, the counters are set back. */
async function sendMail(ctx: Ctx, accountId: number, to: Recipient, mail: OutgoingMail): Promise<void> {
  const { db, now, outside, requestId } = ctx
  try {
    await outside.mail.send(to.email, mail)
  } catch (error) {
    log('error', 'contact_mail', { requestId, error: faultText(error) })
    const { wait, contact, address, everyone, account } = createCounterKeys(accountId, to)
    await batch(db, {
      state: saveMailState(db, accountId, to.uuid, now, 'failed'),
      wait: undoAttempt(db, wait),
      contact: undoAttempt(db, contact),
      address: undoAttempt(db, address),
      everyone: undoAttempt(db, everyone),
      account: undoAttempt(db, account),
    })
    return
  }
  await saveMailState(db, accountId, to.uuid, now, 'sent')
}
