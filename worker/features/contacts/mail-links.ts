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
import { contactLinkHash, isUnsubscribeToken, unsubscribeUuid } from '#security/signed-links.ts'
import {
  deleteLinks,
  guardLink,
  guardUnverified,
  guardVerified,
  selectByLink,
  selectByUuid,
  setAuthorization,
} from './sql/contacts.ts'

/* Links in mails to contacts: verification of the address, and unsubscription. */

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

/**
 * Unsubscribe button of a mailbox (RFC 8058): the provider posts to the address of the page, without a cookie or an Origin.
 * A GET only shows the page, because mail scanners open links.
 */
export async function oneClickUnsubscribe(c: Context<HonoEnv>): Promise<Response> {
  const body = await c.req.parseBody().catch(() => refuse('BODY_MALFORMED'))
  if (body['List-Unsubscribe'] !== 'One-Click') return refuse('BODY_MALFORMED')
  const input = contactsApi.unsubscribe.input.parse({ s: c.req.query('s') })
  await unsubscribe(c.get('ctx'), input)
  c.set('code', RESULT.ok)
  return c.json({ code: RESULT.ok, msg: DONE.unsubscribed, data: null })
}
