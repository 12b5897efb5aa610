import * as z from 'zod'
import { DONE } from '../../../../worker/contract/errors.ts'
import { OTP } from '../../../../worker/contract/limits.ts'
import { verifyApi } from '../../../../worker/contract/verify.ts'
import { call } from '../../../lib/call.ts'
import { toast } from '../../../lib/toast.ts'
import { OtpField } from '../../../ui/form/otp-field.tsx'
import { Form, FormActions } from '../../../ui/form/form.tsx'
import { RadioField } from '../../../ui/form/radio-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import type { Found } from './account-step.tsx'

const identity = z.object({
  send_type: z.enum(['phone', 'email']),
  code: z
    .string()
    .trim()
    .min(1, '手机验证码不能为空') // account 5
    .length(OTP.length, `验证码长度必须为${OTP.length}位`),
})

interface IdentityStepProps {
  readonly found: Found
  readonly onDone: () => void
}

export function IdentityStep({ found: { uniqid, phone, email }, onDone }: IdentityStepProps) {
  const options = [
    ...(phone === '' ? [] : [{ value: 'phone', label: `手机 ${phone}` }]),
    ...(email === '' ? [] : [{ value: 'email', label: `邮箱 ${email}` }]),
  ]
  const firstChoice: 'phone' | 'email' = phone === '' ? 'email' : 'phone'
  const form = useContractForm(identity, { send_type: firstChoice, code: '' })
  const sendType = form.watch('send_type')

  const send = async () => {
    const { msg } = await call(verifyApi.findPasswordCode, { uniqid, send_type: sendType })
    toast.done(msg || DONE.sent)
  }
  const submit = async (values: z.output<typeof identity>) => {
    await call(verifyApi.authentication, { ...values, uniqid })
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit}>
      <RadioField control={form.control} name="send_type" label="验证方式" options={options} vertical />
      <OtpField key={sendType} control={form.control} name="code" label="验证码" send={send} />
      <FormActions submitText="下一步" busy={form.busy} block />
    </Form>
  )
}
