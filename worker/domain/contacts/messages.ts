import type { Mail } from '#contract/kernel/outside.ts'
import { composeMail } from '#domain/mail/compose.ts'
import { CONTACT } from '#contract/contacts/limits.ts'

/* Mails and site messages about contacts. No mail has a contact's name, which an account could choose to lure strangers. */

export const verificationUrl = (origin: string, s: string): string => `${origin}/validate/email?s=${s}`
/** Path of the unsubscribe page, and target of a mail program's unsubscribe button (features/contacts/mail-links.ts). */
export const UNSUBSCRIBE_PATH = '/validate/unsubscribe'
export const unsubscribeUrl = (origin: string, token: string): string => `${origin}${UNSUBSCRIBE_PATH}?s=${token}`
/** Page, and target of the same button, that ends verification mails to an address. */
export const REFUSE_MAILS_PATH = '/validate/refuse'
export const refuseMailsUrl = (origin: string, token: string): string => `${origin}${REFUSE_MAILS_PATH}?s=${token}`
export const contactsUrl = (origin: string): string => `${origin}/account/contacts`

/** Mail to the contact. `owner` is the account's nickname, which holds no address. */
export const verificationMail = (host: string, owner: string, url: string, refuseUrl: string): Mail =>
  composeMail({
    host,
    subject: '请验证您的告警邮箱',
    paragraphs: [
      `“${owner}”希望向此邮箱发送组网告警通知。如您同意，请在${CONTACT.linkHours}小时内打开以下链接完成验证。`,
      `验证后${CONTACT.authorizationDays}天内有效，您可以随时通过告警邮件中的链接退订。如与您无关，请忽略本邮件，未经验证的邮箱不会收到告警通知。`,
    ],
    link: { text: '验证邮箱', url },
    unsubscribe: refuseUrl,
    unsubscribeText: '不再接收验证邮件',
  })

interface Expiring {
  readonly email: string
  /** `YYYY-MM-DD HH:mm`. */
  readonly ends: string
}

export const expiryMail = (host: string, contacts: readonly Expiring[], url: string): Mail =>
  composeMail({
    host,
    subject: '联系人授权即将到期',
    paragraphs: ['以下联系人的授权即将到期或已过期，到期后不再向其发送告警通知。如需继续，请在联系人中更新授权。'],
    facts: contacts.map(({ email, ends }) => [email, `${ends} 到期`] as const),
    link: { text: '查看联系人', url },
  })

interface NamedContact {
  readonly name: string
  readonly email: string
}

export function expiryMessage({ name, email }: NamedContact, days: number, isPast: boolean) {
  const who = `联系人“${name}”（${email}）的授权`
  const renew = '请在“用户中心-联系人”中更新授权。'
  return isPast
    ? { title: `联系人“${name}”的授权已过期`, content: `${who}已过期，不再向其发送告警通知。如需继续，${renew}` }
    : {
        title: `联系人“${name}”的授权即将到期`,
        content: `${who}将在${days}天内到期，到期后不再向其发送告警通知。如需继续，${renew}`,
      }
}

export const unsubscribedMessage = ({ name, email }: NamedContact) => ({
  title: `联系人“${name}”已退订`,
  content: `联系人“${name}”（${email}）通过邮件中的链接退订了告警通知，不再向其发送。如需恢复，请与其确认后在“用户中心-联系人”中重新发送验证邮件。`,
})
