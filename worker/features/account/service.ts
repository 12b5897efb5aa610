import type { SmsNotice } from '#contract/kernel/outside.ts'
import type { Session } from '#contract/kernel/session.ts'
import { contactsOf } from '#domain/account/contact.ts'
import { SECURITY_TYPE, type SecurityNotice } from '#domain/account/security-notice.ts'
import { personKey } from '#domain/account/user.ts'
import { composeMail } from '#domain/mail/compose.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import { insertMessage } from '#features/message/sql.ts'
import { randomToken } from '#security/secrets.ts'
import type { Ctx } from '#http/context.ts'
import { faultText, log } from '#http/log.ts'

/* Security notices of an account: stored as site messages, sent by SMS and mail. */

/**
 * Statement that stores the notice as a site message; part of the batch of the change.
 * @param person the only reader; '' for everybody of the account
 */
export const insertSecurityMessage = (ctx: Ctx, accountId: number, { title, text }: SecurityNotice, person = '') =>
  insertMessage(ctx.db, {
    accountId,
    eventId: `security:${randomToken(12)}`,
    type: SECURITY_TYPE,
    title,
    content: text,
    person,
    createdAt: ctx.now,
  })

type NoticePerson = Pick<Session, 'accountId' | 'ramId'>

/**
 * Statements that store a notice about one person as site messages. A notice about the main account is for everybody; one
 * about a sub-account is for itself and for the account holder.
 */
export const insertPersonMessages = (ctx: Ctx, { accountId, ramId }: NoticePerson, notice: SecurityNotice) =>
  ramId === null
    ? { message: insertSecurityMessage(ctx, accountId, notice) }
    : {
        message: insertSecurityMessage(ctx, accountId, notice, personKey({ accountId, ramId })),
        ownerMessage: insertSecurityMessage(ctx, accountId, notice, personKey({ accountId, ramId: null })),
      }

interface NoticeUser extends NoticePerson {
  readonly host: string
  readonly areaCode: string
  readonly phone: string | null
  readonly email: string | null
}

/** Sends a notice about one person by mail; about the main account also by SMS. */
export function sendPersonNotice(ctx: Ctx, user: NoticeUser, notice: SecurityNotice): void {
  const { phone, email } = contactsOf(user)
  sendSecurityNotice(ctx, notice, { host: user.host, phones: user.ramId === null ? [phone] : [], emails: [email] })
}

/** Recipients of a notice. A contact that is listed twice gets it once; '' is a missing contact. */
export interface NoticeRecipients {
  /** Host of the account; '' for the main host. */
  readonly host: string
  readonly phones: readonly string[]
  readonly emails: readonly string[]
}

/** Sends the notice by SMS and mail after the answer; call it after the batch has committed. A failure is only logged. */
export function sendSecurityNotice(
  ctx: Ctx,
  { title, text }: SecurityNotice,
  { host: accountHost, phones, emails }: NoticeRecipients,
): void {
  const { mail } = ctx.outside
  const host = hostOfAccount(accountHost)
  const content = composeMail({ host, subject: `安全通知：${title}`, paragraphs: [text] })
  ctx.afterAnswer(async () => {
    const results = await Promise.allSettled([
      ...present(phones).map((to) => sendBySms(ctx, to, { title, text, host })),
      ...present(emails).map((to) => mail.send(to, { ...content, host })),
    ])
    for (const result of results)
      if (result.status === 'rejected')
        log('error', 'notice_not_sent', { requestId: ctx.requestId, error: faultText(result.reason) })
  })
}

/** Sends no SMS without a template for notices; `ops provider-status` then reports the missing template. */
async function sendBySms({ outside: { sms }, requestId }: Ctx, to: string, notice: SmsNotice): Promise<void> {
  if (await sms.hasNotice(to, notice.host)) return sms.sendNotice(to, notice)
  log('warn', 'notice_without_template', { requestId, host: notice.host })
}

const present = (contacts: readonly string[]): readonly string[] =>
  [...new Set(contacts)].filter((contact) => contact !== '')
