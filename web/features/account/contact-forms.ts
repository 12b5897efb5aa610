import type { FieldPath } from 'react-hook-form'
import type * as z from 'zod'
import { emailBinding, phoneBinding } from '../../../worker/contract/account-forms.ts'
import { email, phoneProblem } from '../../../worker/contract/fields.ts'
import { DIAL_CODE_DEFAULT } from '../../../worker/contract/limits.ts'
import type { ContractForm } from '../../ui/form/use-contract-form.ts'
import { useSendNewCode } from './api.ts'

export type PhoneInput = z.input<typeof phoneBinding>
export type PhoneValues = z.output<typeof phoneBinding>
export type EmailInput = z.input<typeof emailBinding>
export type EmailValues = z.output<typeof emailBinding>

const CODE_MISSING = { path: ['code'], message: '验证码不能为空' }

/** The same where the code field is always shown. */
export const phoneWithCode = phoneBinding.refine(({ code }) => code !== undefined, CODE_MISSING)
export const emailWithCode = emailBinding.refine(({ code }) => code !== undefined, CODE_MISSING)

/** Sends a code to the phone that is typed; false where it is none (account 5), which unlocks the button at once. */
export function useSendToPhone(form: ContractForm<PhoneInput, PhoneValues>): () => Promise<unknown> {
  const send = useSendNewCode()
  return async () => {
    const { area_code = DIAL_CODE_DEFAULT, phone } = form.getValues()
    const number = phone.trim()
    const problem = number === '' ? '手机号码不能为空' : phoneProblem(area_code, number)
    if (problem !== null) return refuseAt(form, 'phone', problem)
    return send.trigger({ send_type: 'phone', verify_type: 'verify_phone', send_value: `+${area_code} ${number}` })
  }
}

/** The same for the e-mail. */
export function useSendToEmail(form: ContractForm<EmailInput, EmailValues>): () => Promise<unknown> {
  const send = useSendNewCode()
  return async () => {
    const typed = email.safeParse(form.getValues('email'))
    if (!typed.success) return refuseAt(form, 'email', typed.error.issues[0]?.message ?? '')
    return send.trigger({ send_type: 'email', verify_type: 'verify_email', send_value: typed.data })
  }
}

function refuseAt<V extends PhoneInput | EmailInput, T>(
  form: ContractForm<V, T>,
  field: FieldPath<V>,
  message: string,
): false {
  form.setError(field, { message }, { shouldFocus: true })
  return false
}
