import { useState } from 'react'
import { Navigate } from 'react-router'
import { EMAIL_MAX } from '../../../../worker/contract/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { Form, FormActions } from '../../../ui/form/form.tsx'
import { OtpField } from '../../../ui/form/otp-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { reloadUser, useEditEmail } from '../api.ts'
import { newEmail, useSendToEmail } from '../contact-forms.ts'
import { ChangeWizard } from '../parts/change-wizard.tsx'

/** Changes the e-mail, or binds it to an account that has a phone. The first contact is bound by a dialog. */
export function EmailPage() {
  const { user_phone, user_email } = useUser()
  const [title] = useState(user_email === '' ? '绑定邮箱' : '修改邮箱') // the change itself does not rename the page
  if (user_phone === '' && user_email === '') return <Navigate to={paths.account({ bind: 'email' })} replace />
  return <ChangeWizard title={title} step="新邮箱" form={(run) => <EmailForm run={run} />} />
}

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
