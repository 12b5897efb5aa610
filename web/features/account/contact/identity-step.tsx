import * as z from 'zod'
import { code } from '#contract/kernel/fields.ts'
import { OWN_PURPOSE } from '#contract/verify/index.ts'
import { useUser } from '#lib/session/session.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CODE_LATE, OtpField } from '#ui/form/inputs/otp-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { type ContactKind, useProveIdentity, useSendDefaultCode } from '../api.ts'

const identity = z.object({ send_type: z.enum(['phone', 'email']), code })
type Identity = z.output<typeof identity>

/** First step of the wizards: a code to a contact that the account has. */
export function IdentityStep({ onDone }: { readonly onDone: () => void }) {
  const { user_phone, user_email } = useUser()
  const ways = [
    { value: 'phone', label: `手机 ${user_phone}`, isThere: user_phone !== '' },
    { value: 'email', label: `邮箱 ${user_email}`, isThere: user_email !== '' },
  ].filter(({ isThere }) => isThere)
  const first: ContactKind = user_phone === '' ? 'email' : 'phone'
  const form = useContractForm<Identity, Identity>(identity, { send_type: first, code: '' })
  const sendType = form.watch('send_type')
  const sendCode = useSendDefaultCode()
  const prove = useProveIdentity()

  const submit = async (typed: Identity) => {
    await prove.trigger(
      typed.send_type === 'phone'
        ? { send_type: 'phone', verify_type: OWN_PURPOSE.phone, code: typed.code }
        : { send_type: 'email', verify_type: OWN_PURPOSE.email, code: typed.code },
    )
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit}>
      <RadioField control={form.control} name="send_type" label="验证方式" options={ways} vertical />
      <OtpField
        key={sendType}
        control={form.control}
        name="code"
        label="验证码"
        required
        send={() => sendCode(sendType)}
        help={CODE_LATE}
      />
      <FormActions submitText="下一步" busy={form.busy} />
    </Form>
  )
}
