import { useState } from 'react'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CODE_LATE, OtpField } from '#ui/form/inputs/otp-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Tabs } from '#ui/layout/tabs.tsx'
import { register } from './api.ts'
import { registerForm, type RegisterInput, type RegisterValues, toRegistration } from './form-rules.ts'
import { useRegisterCode } from './use-register-code.ts'
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
