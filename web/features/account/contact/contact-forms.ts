import type { FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { PHONE_REQUIRED, areaCode, code, email } from '#contract/kernel/fields.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { phoneProblem, phoneText, withPhoneText } from '#contract/kernel/input/phone.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { useSendNewCode } from '../api.ts'

/* Schemas and code requests of the forms for a new phone or e-mail. */

export const newPhone = z
  .object({ area_code: areaCode, phone: z.string(), code })
  .overwrite(withPhoneText)
  .superRefine(({ area_code, phone }, issues) => {
    const message = numberProblem(area_code, phone)
    if (message !== null) issues.addIssue({ code: 'custom', path: ['phone'], message })
  })
export const newEmail = z.object({ email, code })

const numberProblem = (dialCode: string, number: string): string | null =>
  number === '' ? PHONE_REQUIRED : phoneProblem(dialCode, number)

type PhoneInput = Pick<z.input<typeof newPhone>, 'area_code' | 'phone'>
type EmailInput = Pick<z.input<typeof newEmail>, 'email'>

/** Sends a code to the typed phone; false if it is invalid (account 5), which unlocks the button at once. */
export function useSendToPhone<V extends PhoneInput, T>(form: ContractForm<V, T>): () => Promise<unknown> {
  const send = useSendNewCode()
  return async () => {
    const { area_code = DIAL_CODE_DEFAULT, phone }: PhoneInput = form.getValues()
    const number = phoneText(area_code, phone)
    const problem = numberProblem(area_code, number)
    if (problem !== null) return refuseAt(form, 'phone' as FieldPath<V>, problem)
    return send.trigger({ send_type: 'phone', verify_type: 'verify_phone', send_value: `+${area_code} ${number}` })
  }
}

export function useSendToEmail<V extends EmailInput, T>(form: ContractForm<V, T>): () => Promise<unknown> {
  const send = useSendNewCode()
  return async () => {
    const typed = email.safeParse((form.getValues() as EmailInput).email)
    if (!typed.success) return refuseAt(form, 'email' as FieldPath<V>, typed.error.issues[0]?.message ?? '')
    return send.trigger({ send_type: 'email', verify_type: 'verify_email', send_value: typed.data })
  }
}

function refuseAt<V extends FieldValues, T>(form: ContractForm<V, T>, field: FieldPath<V>, message: string): false {
  form.setError(field, { message }, { shouldFocus: true })
  return false
}
