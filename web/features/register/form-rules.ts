import * as z from 'zod'
import type { registration } from '#contract/account/account.ts'
import {
  CONFIRM_REQUIRED,
  PHONE_REQUIRED,
  REPEAT_DIFFERS,
  areaCode,
  code,
  email,
  nickname,
  password,
  username,
  usernameProblem,
} from '#contract/kernel/fields.ts'
import { phoneProblem, withPhoneText } from '#contract/kernel/input/phone.ts'
import { dottedText } from '#contract/kernel/input/typed-text.ts'

/** Registration form: rules of the contract, mapped to its fields. `type` is the tab. */
export const registerForm = z
  .object({
    type: z.enum(['phone', 'email']),
    nickname,
    username,
    password,
    newPassword: z.string().min(1, CONFIRM_REQUIRED),
    area_code: areaCode,
    phone: z.string(),
    email: z.string().overwrite(dottedText),
    img_code: z.string(), // checked when the code is requested, which consumes it
    code,
    uniqid: z.string(), // id of the captcha that the code request used; empty before
    agreement: z.boolean().refine((agreed) => agreed, '请阅读并同意服务条款和隐私政策'),
  })
  .overwrite(withPhoneText)
  .superRefine((form, issues) => {
    const complain = (field: string, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
    const problem = targetProblem(form)
    if (problem !== null) complain(form.type, problem)
    const nameProblem = usernameProblem(
      form.username,
      form.type === 'phone' ? `+${form.area_code} ${form.phone}` : null,
    )
    if (nameProblem !== null) complain('username', nameProblem)
    if (form.uniqid === '') complain('code', '请先获取验证码')
    if (form.newPassword !== '' && form.newPassword !== form.password) complain('newPassword', REPEAT_DIFFERS)
  })

export type RegisterInput = z.input<typeof registerForm>
export type RegisterValues = z.output<typeof registerForm>
type OtpTargetInput = Pick<RegisterValues, 'type' | 'phone' | 'email'> & { readonly area_code: string }

export function targetProblem({ type, area_code, phone, email: address }: OtpTargetInput): string | null {
  if (type === 'email') return email.safeParse(address).error?.issues[0]?.message ?? null
  return phone === '' ? PHONE_REQUIRED : phoneProblem(area_code, phone)
}

/** '+86 13800000000' or the e-mail (account 3). */
export function toOtpTarget({ type, area_code, phone, email: address }: OtpTargetInput): string {
  return type === 'phone' ? `+${area_code} ${phone}` : address
}

export const toRegistration = (values: RegisterValues): z.input<typeof registration> => ({
  nickname: values.nickname,
  username: values.username,
  password: values.password,
  newPassword: values.newPassword,
  code: values.code,
  uniqid: values.uniqid,
  type: values.type,
  verify: toOtpTarget(values),
})
