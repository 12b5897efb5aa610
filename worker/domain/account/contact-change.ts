import { type Violation, violation } from '#contract/kernel/result.ts'
import { maskEmail, maskPhone } from './mask.ts'

/** A contact of the account that is bound or replaced: '+86 13800000000' or an e-mail address, '' for none. */
export interface ContactChange {
  readonly kind: 'phone' | 'email'
  readonly before: string
  readonly after: string
}

interface Holder {
  readonly areaCode: string
  readonly phone: string | null
  readonly email: string | null
}

/** Both contacts of an account, '' for none. */
export const contactsOf = ({ areaCode, phone, email }: Holder): Readonly<Record<ContactChange['kind'], string>> => ({
  phone: phone ? `+${areaCode} ${phone}` : '',
  email: email?.toLowerCase() ?? '',
})

/** As it may be shown and logged. */
export function maskContact(kind: ContactChange['kind'], contact: string): string {
  if (kind === 'email') return maskEmail(contact)
  const [dialCode = '', phone = ''] = contact.split(' ')
  return maskPhone(dialCode.slice(1), phone)
}

/** The first contact of an account: no code can prove whose session it is, so the password does. */
export const isFirstContact = (holder: Holder): boolean => !holder.phone && !holder.email

interface ContactChangeInput {
  /** The session has done the identity step. */
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
