import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { reloadUser, useEditEmail } from '../api.ts'
import { newEmail, useSendToEmail } from './contact-forms.ts'
import { ContactWizard } from './contact-wizard.tsx'

/** Steps of a new e-mail (account 2). */
export const EmailPage = () => <ContactWizard kind="email" step="新邮箱" form={(run) => <EmailForm run={run} />} />

function EmailForm({ run }: { readonly run: (send: () => Promise<unknown>) => Promise<void> }) {
  const form = useContractForm(newEmail, { email: '', code: '' })
  const send = useSendToEmail(form)
  const edit = useEditEmail()
  return (
    <Form form={form} onSubmit={({ email, code }) => run(() => edit.trigger({ email, code }).then(reloadUser))}>
      <TextField
        control={form.control}
        name="email"
        label="新邮箱"
        required
        inputMode="email"
        autoComplete="email"
        isCode
        maxLength={EMAIL_MAX}
      />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText="确认修改" busy={form.busy} />
    </Form>
  )
}
