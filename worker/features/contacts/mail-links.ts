import type { Context } from 'hono'
import { contactsApi } from '#contract/contacts/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { type ErrorKey, Refusal, refuse } from '#contract/kernel/errors.ts'
import { DONE, RESULT } from '#contract/kernel/result.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { UNVERIFIED, authorizeAt, isVerified } from '#domain/contacts/authorization.ts'
import { unsubscribedMessage } from '#domain/contacts/messages.ts'
import { insertMessage } from '#features/message/sql.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import {
  contactLinkHash,
  isUnsubscribeToken,
  openMailRefusal,
  refusedAddressHash,
  unsubscribeUuid,
} from '#security/signed-links.ts'
import { deleteMailRefusal, insertMailRefusal } from './sql/mail-refusals.ts'
import {
  deleteLinks,
  guardLink,
  guardUnverified,
  guardVerified,
  selectByLink,
  selectByUuid,
  setAuthorization,
} from './sql/contacts.ts'

/* Links in mails to contacts: verification of the address, unsubscription, and the end of verification mails. */

/**
 * Handles the link of a verification mail. Mail scanners open links before people do, so the link of a verified contact
 * answers the same and changes nothing.
 */
export async function validateEmail(ctx: Ctx, { s }: Parsed<typeof contactsApi.validateEmail>): Promise<void> {
  const { db, now, env } = ctx
  const tokenHash = await contactLinkHash(env.HMAC_SECRET, s)
  const row = await requireRow(selectByLink(db, tokenHash, now), 'CONTACT_LINK_BAD')
  if (isVerified(row)) return
  const { accountId, uuid, name, email, hub } = row
  const set = authorizeAt(now)
  const entry = {
    module: 'contacts',
    action: 'validate_email',
    target: uuid,
    message: `联系人“${name}”通过邮件验证了邮箱`,
    after: { email, expiresAt: set.expiresAt },
  }
  const write = batch(db, {
    link: guardLink(db, tokenHash),
    unverified: guardUnverified(db, accountId, uuid),
    contact: setAuthorization(db, row, set),
    audit: auditRow(ctx, entry, systemFor(accountId)),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  await unlessRefusedFor('CONTACT_VERIFIED', write)
}

/** Handles the button on the unsubscribe page of an alert mail. Pressed again, it succeeds and does nothing. */
export async function unsubscribe(ctx: Ctx, { s: token }: Parsed<typeof contactsApi.unsubscribe>): Promise<void> {
  const { db, now, env } = ctx
  const [row] = await selectByUuid(db, unsubscribeUuid(token))
  const nobody = { accountId: 0, uuid: '', email: '' } // an unknown contact costs the check of a signature, too
  const isSigned = await isUnsubscribeToken(env.HMAC_SECRET, row ?? nobody, token)
  if (!row || !isSigned) return refuse('UNSUBSCRIBE_LINK_BAD')
  if (!isVerified(row)) return
  const { accountId, uuid, name, email, hub, verifiedAt, expiresAt } = row
  const entry = {
    module: 'contacts',
    action: 'unsubscribe',
    target: uuid,
    message: `联系人“${name}”通过邮件退订`,
    before: { email, expiresAt },
  }
  const write = batch(db, {
    verified: guardVerified(db, accountId, uuid),
    contact: setAuthorization(db, row, UNVERIFIED),
    links: deleteLinks(db, accountId, uuid),
    audit: auditRow(ctx, entry, systemFor(accountId)),
    message: insertMessage(db, {
      accountId,
      eventId: `contact-unsubscribed:${uuid}:${verifiedAt}`,
      type: '系统',
      ...unsubscribedMessage(row),
      createdAt: now,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  await unlessRefusedFor('CONTACT_UNVERIFIED', write)
}

/** Ignores this refusal: a parallel call has done the same. */
async function unlessRefusedFor(key: ErrorKey, write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    const found = parseGuardFailure(error)
    if (!(found instanceof Refusal) || found.violation.key !== key) throw found
  }
}

/** Handles the button on the page behind a verification mail. The address is in the link; no account is concerned. */
export async function refuseMails(ctx: Ctx, { s }: Parsed<typeof contactsApi.refuseMails>): Promise<void> {
  await insertMailRefusal(ctx.db, await requireRefusal(ctx, s), ctx.now)
}

export async function acceptMails(ctx: Ctx, { s }: Parsed<typeof contactsApi.acceptMails>): Promise<void> {
  await deleteMailRefusal(ctx.db, await requireRefusal(ctx, s))
}

async function requireRefusal({ env }: Ctx, token: string): Promise<string> {
  const email = (await openMailRefusal(env.HMAC_SECRET, token)) ?? refuse('MAIL_REFUSAL_LINK_BAD')
  return refusedAddressHash(env.HMAC_SECRET, email)
}

/** Unsubscribe button of a mailbox for alert mails. */
export async function oneClickUnsubscribe(c: Context<HonoEnv>): Promise<Response> {
  await unsubscribe(c.get('ctx'), await readOneClick(c))
  return answerOneClick(c, DONE.unsubscribed)
}

/** The same button for verification mails. */
export async function oneClickRefusal(c: Context<HonoEnv>): Promise<Response> {
  await refuseMails(c.get('ctx'), await readOneClick(c))
  return answerOneClick(c, DONE.mailsRefused)
}

/**
 * Request of a mailbox (RFC 8058): the provider posts to the address of the page, without a cookie or an Origin. A GET only
 * shows the page, because mail scanners open links.
 */
async function readOneClick(c: Context<HonoEnv>) {
  const body = await c.req.parseBody().catch(() => refuse('BODY_MALFORMED'))
  if (body['List-Unsubscribe'] !== 'One-Click') return refuse('BODY_MALFORMED')
  return contactsApi.unsubscribe.input.parse({ s: c.req.query('s') })
}

function answerOneClick(c: Context<HonoEnv>, msg: string): Response {
  c.set('code', RESULT.ok)
  return c.json({ code: RESULT.ok, msg, data: null })
}
