import type { SmsNotice } from '../contract/outside.ts'
import { insertMessage } from '../db/messages.ts'
import { contactsOf } from '../domain/account/contact-change.ts'
import { personKey } from '../domain/account/person.ts'
import { SECURITY_TYPE, type SecurityNotice } from '../domain/account/security-notice.ts'
import { composeMail } from '../domain/mail/compose.ts'
import { hostOfAccount } from '../domain/site/brand.ts'
import { randomToken } from '../security/secrets.ts'
import type { Ctx } from './context.ts'
import { faultText, log } from './log.ts'

/** Its site message, for the batch of what happened. `person` is the only reader, '' for everybody of the account. */
export const securityMessage = (ctx: Ctx, accountId: number, { title, text }: SecurityNotice, person = '') =>
  insertMessage(ctx.db, {
    accountId,
    eventId: `security:${randomToken(12)}`,
    type: SECURITY_TYPE,
    title,
    content: text,
    person,
    createdAt: ctx.now,
  })

interface NoticePerson {
  readonly accountId: number
  /** Null for the main account. */
  readonly ramId: number | null
}

/** What happened to one person: of the main account for all, of a sub-account for itself and the account holder. */
export const personMessages = (ctx: Ctx, { accountId, ramId }: NoticePerson, notice: SecurityNotice) =>
  ramId === null
    ? { message: securityMessage(ctx, accountId, notice) }
    : {
        message: securityMessage(ctx, accountId, notice, personKey({ accountId, ramId })),
        ownerMessage: securityMessage(ctx, accountId, notice, personKey({ accountId, ramId: null })),
      }

interface NoticeUser extends NoticePerson {
  readonly host: string
  readonly areaCode: string
  readonly phone: string | null
  readonly email: string | null
}

/** Its mail to the account holder, and an SMS about the own account. */
export function sendPersonNotice(ctx: Ctx, user: NoticeUser, notice: SecurityNotice): void {
  const { phone, email } = contactsOf(user)
  sendSecurityNotice(ctx, notice, { host: user.host, phones: user.ramId === null ? [phone] : [], emails: [email] })
}

/** Each once; '' is nobody. */
export interface NoticeRecipients {
  /** Of the account, '' for the main one. */
  readonly host: string
  readonly phones: readonly string[]
  readonly emails: readonly string[]
}

/** The same by SMS and mail, once the answer has left: call it when the batch has committed. A failure is only logged. */
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

/** Where no template of notices is configured, mail and site message say it alone; `ops provider-status` names the gap. */
async function sendBySms({ outside: { sms }, requestId }: Ctx, to: string, notice: SmsNotice): Promise<void> {
  if (await sms.hasNotice(to, notice.host)) return sms.sendNotice(to, notice)
  log('warn', 'notice_without_template', { requestId, host: notice.host })
}

const present = (contacts: readonly string[]): readonly string[] =>
  [...new Set(contacts)].filter((contact) => contact !== '')
