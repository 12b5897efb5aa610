import { useState } from 'react'
import { captchaText } from '#contract/kernel/fields.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { DONE } from '#contract/kernel/result.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { toast } from '#lib/toast/toast.ts'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CODE_LATE, OtpField } from '#ui/form/inputs/otp-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { type Captcha, useCaptcha } from '#ui/form/use-captcha.ts'
import { useContractForm, type ContractForm } from '#ui/form/use-contract-form.ts'
import { Tabs } from '#ui/layout/tabs.tsx'
import { register, sendRegisterCode } from './api.ts'
import {
  registerForm,
  type RegisterInput,
  type RegisterValues,
  toRegistration,
  toOtpTarget,
  targetProblem,
} from './form-rules.ts'
import { Agreement, Identity, Target } from './register-fields.tsx'

type Type = RegisterInput['type']

const TYPES: readonly { readonly value: Type; readonly label: string }[] = [
  { value: 'phone', label: '手机号注册' },
  { value: 'email', label: '邮箱注册' },
]
const EMPTY: RegisterInput = {
  type: 'phone',
  nickname: '',
  username: '',
  password: '',
  newPassword: '',
  area_code: DIAL_CODE_DEFAULT,
  phone: '',
  email: '',
  img_code: '',
  code: '',
  uniqid: '',
  agreement: false,
}

export function RegisterForm({ onDone }: { readonly onDone: () => void }) {
  const [type, setType] = useState<Type>('phone')
  const form = useContractForm(registerForm, EMPTY)
  const { captcha, isSent, reset: forget, send } = useRegisterCode(form)

  // Inputs are kept for the other tab; the code belongs to the tab it was sent from.
  const change = (next: Type) => {
    setType(next)
    form.setValue('type', next)
    form.setValue('code', '')
    form.clearErrors()
    forget()
  }
  const submit = async (values: RegisterValues) => {
    try {
      await register(toRegistration(values))
    } catch (error) {
      if (!(error instanceof ApiError) || error.field !== 'verify') throw error
      markHandled(error)
      throw new ApiError(error.code, error.msg, { field: type })
    }
    onDone()
  }

  return (
    <Tabs label="注册方式" value={type} options={TYPES} onChange={change}>
      <Form form={form} onSubmit={submit}>
        <Identity control={form.control} />
        <Target control={form.control} type={type} />
        <CaptchaField control={form.control} name="img_code" label="图形验证码" captcha={captcha} />
        <OtpField
          key={type}
          control={form.control}
          name="code"
          label={type === 'phone' ? '手机验证码' : '邮箱验证码'}
          send={send}
          {...(isSent && { help: CODE_LATE })}
        />
        <Agreement control={form.control} />
        <FormActions submitText="注册" busy={form.busy} block />
      </Form>
    </Tabs>
  )
}

interface RegisterCode {
  readonly captcha: Captcha
  /** A code went to the phone or e-mail of the present tab. */
  readonly isSent: boolean
  readonly reset: () => void
  /** Resolves to false where nothing was sent, which unlocks the button at once. */
  readonly send: () => Promise<boolean>
}

/** Registration code. It requires a captcha against message bombing. */
function useRegisterCode(form: ContractForm<RegisterInput, RegisterValues>): RegisterCode {
  const { getValues, setError, setValue } = form
  const captcha = useCaptcha('register', form, 'img_code')

  const send = async () => {
    const values = getValues()
    const { type, img_code } = values
    const target = { ...values, area_code: values.area_code ?? DIAL_CODE_DEFAULT }
    const problems = [
      [type, targetProblem(target)],
      ['img_code', captchaText.safeParse(img_code).error?.issues[0]?.message ?? null],
    ] as const
    const found = problems.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
    for (const [at, { field, message }] of found.entries()) setError(field, { message }, { shouldFocus: at === 0 })
    if (found.length > 0) return false

    const input = { send_type: type, send_value: toOtpTarget(target), img_code }
    try {
      const { msg } = await captcha.withProof((proof) => sendRegisterCode({ ...input, ...proof }))
      toast.done(msg || DONE.sent)
      setValue('uniqid', captcha.uniqid)
      form.clearErrors('code')
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.field !== undefined) {
        markHandled(error)
        setError(error.field === 'img_code' ? 'img_code' : type, { message: error.msg }, { shouldFocus: true })
      }
      return false
    } finally {
      captcha.renew()
    }
  }
  return { captcha, isSent: form.watch('uniqid') !== '', reset: () => setValue('uniqid', ''), send }
}
