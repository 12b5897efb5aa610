import * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { DONE } from '#contract/kernel/result.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { toast } from '#lib/toast/toast.ts'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { authenticate, sendRecoveryCode } from './api.ts'
import type { Found } from './account-step.tsx'

type Identity = { send_type: 'phone' | 'email'; code: string }

const [byPhone, byEmail] = verifyApi.authentication.input.options
const identity: z.ZodType<Identity, Identity> = z.discriminatedUnion('send_type', [
  byPhone.omit({ uniqid: true }),
  byEmail.omit({ uniqid: true }),
])

/** Does not reveal if the account exists: the sentence is true for every name. */
const LATE =
  '验证码只会发送到账号已绑定的手机或邮箱。没有收到？请等待5分钟，并检查拦截与垃圾信息，或换用另一种方式。子账号请联系主账号'

/** Contacts that the account is bound to, masked. */
export type Bound = Output<typeof verifyApi.authentication>

interface IdentityStepProps {
  readonly found: Found
  readonly onDone: (bound: Bound) => void
}

export function IdentityStep({ found: { uniqid, phone, email }, onDone }: IdentityStepProps) {
  const options = [
    { value: 'phone', label: phone },
    { value: 'email', label: email },
  ]
  const form = useContractForm<Identity, Identity>(identity, { send_type: 'phone', code: '' })
  const sendType = form.watch('send_type')

  const send = async () => {
    const { msg } = await sendRecoveryCode({ uniqid, send_type: sendType })
    toast.done(msg || DONE.sent)
  }
  const submit = async (values: Identity) => {
    const { data } = await authenticate({ ...values, uniqid })
    onDone(data)
  }
  return (
    <Form form={form} onSubmit={submit}>
      <RadioField control={form.control} name="send_type" label="验证方式" options={options} vertical />
      <OtpField key={sendType} control={form.control} name="code" label="验证码" send={send} help={LATE} />
      <FormActions submitText="下一步" busy={form.busy} block />
    </Form>
  )
}
