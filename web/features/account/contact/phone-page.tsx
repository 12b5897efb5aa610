import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { useDialCodes } from '#ui/member/use-member-credentials.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { reloadUser, useEditPhone } from '../api.ts'
import { newPhone, useSendToPhone } from './contact-forms.ts'
import { ContactWizard } from './contact-wizard.tsx'

/** Steps of a new phone (account 2). */
export const PhonePage = () => <ContactWizard kind="phone" step="新手机号码" form={(run) => <PhoneForm run={run} />} />

function PhoneForm({ run }: { readonly run: (send: () => Promise<unknown>) => Promise<void> }) {
  const form = useContractForm(newPhone, { area_code: DIAL_CODE_DEFAULT, phone: '', code: '' })
  const dialCodes = useDialCodes().data?.data
  const send = useSendToPhone(form)
  const edit = useEditPhone()
  return (
    <Form
      form={form}
      onSubmit={({ area_code, phone, code }) => run(() => edit.trigger({ area_code, phone, code }).then(reloadUser))}
    >
      <PhoneField
        control={form.control}
        name="phone"
        areaName="area_code"
        label="新手机号码"
        required
        dialCodes={dialCodes}
      />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText="确认修改" busy={form.busy} />
    </Form>
  )
}
