import { batch } from '#db/batch.ts'
import { type OutboxContext, notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { within, mapLimit } from '#db/concurrency.ts'
import { dueWarning } from '#domain/contacts/authorization.ts'
import { contactsUrl, expiryMail, expiryMessage } from '#domain/contacts/messages.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { faultText, log } from '#http/log.ts'
import { minuteText } from '#contract/kernel/time.ts'
import type { MailContext } from './mail-context.ts'
import {
  type Warning,
  claimMails,
  finishMails,
  insertWarningMessages,
  insertWarnings,
  moveWarnings,
  selectDueContacts,
  selectDueMails,
} from '#features/contacts/sql/expiry.ts'

/* Job that warns accounts before authorizations of contacts expire, by site message and mail. */

/** Most contacts, and most mails, of one run; the next run takes the rest. */
const PORTION = 100
/** Accounts that are mailed at the same time, and the time limit of one mail. */
const AT_ONCE = 10
const MAIL_MS = 10_000
const RETRY_MS = 60_000
const RETRY_MAX_MS = 6 * 3_600_000

type DueContact = Awaited<ReturnType<typeof selectDueContacts>>[number]

function toWarning(contact: DueContact, now: number): Warning {
  const { id: contactId, accountId, uuid, expiresAt, warnAt, hasMail } = contact
  const { days, nextAt } = dueWarning(expiresAt, now)
  return {
    contactId,
    accountId,
    expiresAt,
    warnAt,
    nextAt,
    days,
    mailDueAt: hasMail ? now : null,
    eventId: `contact-expiry:${uuid}:${expiresAt}:${days}`,
    ...expiryMessage(contact, days, expiresAt <= now),
  }
}

/** Writes a site message for each authorization that ends soon; `mailContactWarnings` sends the mail. */
export async function warnOfContactExpiry(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  const due = await selectDueContacts(db, now, PORTION)
  if (due.length === 0) return
  const warnings = due.map((contact) => toWarning(contact, now))
  await batch(db, {
    mails: insertWarnings(db, warnings),
    messages: insertWarningMessages(db, warnings, now),
    hubs: notifyHubs(ctx, refreshTasks('account', [...new Set(due.map(({ hub }) => hub))])),
    moved: moveWarnings(db, warnings),
  })
}

type DueMail = Awaited<ReturnType<typeof selectDueMails>>[number]

/** Sends each account one mail about all its due contacts. A refused mail is tried again, after longer waits each time. */
export async function mailContactWarnings(ctx: MailContext): Promise<void> {
  const due = await selectDueMails(ctx.db, ctx.now, PORTION)
  const byAccount = Map.groupBy(due, ({ accountId }) => accountId)
  await mapLimit([...byAccount.values()], AT_ONCE, (rows) => mailAccount(ctx, rows))
}

async function mailAccount(
  { db, mail, localOrigin, now, runId }: MailContext,
  rows: readonly DueMail[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { accountId, to } = first
  const tries = Math.max(...rows.map((row) => row.tries))
  const againAt = now + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** Math.min(tries, 10))
  const claimed = await claimMails(db, { accountId, ids: rows.map(({ id }) => id), now, againAt })
  const ids = claimed.map(({ id }) => id)
  const taken = rows.filter(({ id }) => ids.includes(id))
  if (taken.length === 0) return
  const ends = new Map(taken.map(({ email, expiresAt }) => [email, minuteText(expiresAt)])) // two warnings of one may wait
  const contacts = [...ends].map(([email, end]) => ({ email, ends: end }))
  const host = hostOfAccount(first.host)
  const content = expiryMail(host, contacts, contactsUrl(toConsoleOrigin(host, localOrigin)))
  const eventId = `contact-expiry-${accountId}-${Math.max(...ids)}`
  try {
    await within(MAIL_MS, mail.send(to, { ...content, host, eventId }))
  } catch (error) {
    return log('error', 'contact_warning_mail', { requestId: runId, error: faultText(error) })
  }
  await finishMails(db, accountId, ids)
}
