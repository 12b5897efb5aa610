import type { User } from './user.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/* Phone number and e-mail address of an account: parsing, masking, and the checks of a change. */

/** Address of a contact, and the account columns that store it. */
export interface Contact {
  readonly target: string
  readonly columns: { readonly areaCode?: string; readonly phone?: string; readonly email?: string }
}

/** Parses '+86 13800000000', '13800000000' (mainland), or an e-mail address in any case. */
export function readContact(kind: 'phone' | 'email', text: string): Contact {
  if (kind === 'email') {
    const email = text.trim().toLowerCase()
    return { target: email, columns: { email } }
  }
  const [, areaCode = '86', phone = text.trim()] = /^\+([1-9]\d{0,3}) (\d+)$/.exec(text.trim()) ?? []
  return { target: `+${areaCode} ${phone}`, columns: { areaCode, phone } }
}

/** Masked phone number that its owner recognises: '+86 138****0000'. */
export function maskPhone(areaCode: string, phone: string | null): string {
  return phone ? `+${areaCode} ${maskNumber(phone)}` : ''
}

/** Masked number without its dial code: '138****0000'. */
export function maskNumber(phone: string): string {
  if (phone === '') return ''
  const [head, tail] = phone.length >= 9 ? [3, 4] : [1, 2]
  return `${phone.slice(0, head)}****${phone.slice(-tail)}`
}

/** Masked e-mail address: 'z***@q***.com'. The domain is masked too, because a company domain identifies its owner. */
export function maskEmail(email: string | null): string {
  const [, local = '', domain = ''] = /^(.)[^@]*@(.*)$/.exec(email ?? '') ?? []
  if (!local) return ''
  return `${local}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`
}

/** A contact of the account that is bound or replaced: '+86 13800000000' or an e-mail address, '' for none. */
export interface ContactChange {
  readonly kind: 'phone' | 'email'
  readonly before: string
  readonly after: string
}

type Holder = Pick<User, 'areaCode' | 'phone' | 'email'>

/** Both contacts of an account, '' for none. */
export const contactsOf = ({ areaCode, phone, email }: Holder): Readonly<Record<ContactChange['kind'], string>> => ({
  phone: phone ? `+${areaCode} ${phone}` : '',
  email: email?.toLowerCase() ?? '',
})

export function maskContact(kind: ContactChange['kind'], contact: string): string {
  if (kind === 'email') return maskEmail(contact)
  const [dialCode = '', phone = ''] = contact.split(' ')
  return maskPhone(dialCode.slice(1), phone)
}

/** True for an account without a contact. No code can prove its owner then, so the password does. */
export const isFirstContact = (holder: Holder): boolean => !holder.phone && !holder.email

interface ContactChangeInput {
  readonly isProved: boolean
  readonly hasPassword: boolean
  readonly hasCode: boolean
}

/** Refuses the first missing input, in the order of the form. Code and password are verified later. */
export function checkContactChange(holder: Holder, change: ContactChange, input: ContactChangeInput): Violation | null {
  if (isFirstContact(holder) && !input.hasPassword) return violation('LOGIN_PASSWORD_REQUIRED')
  if (!isFirstContact(holder) && !input.isProved) return violation('IDENTITY_REQUIRED')
  if (change.before === change.after) return violation(change.kind === 'phone' ? 'PHONE_UNCHANGED' : 'EMAIL_UNCHANGED')
  return input.hasCode ? null : violation('CODE_REQUIRED')
}
