import { useState } from 'react'
import { Navigate } from 'react-router'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { EmailField } from '#ui/form/inputs/email-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useDialCodes } from '#ui/member/use-member-credentials.ts'
import { type ContactKind, reloadUser, useEditEmail, useEditPhone } from '../api.ts'
import { ChangeWizard } from './change-wizard.tsx'
import { newEmail, newPhone, useSendToEmail, useSendToPhone } from './contact-forms.ts'

/* Pages that bind or change the phone or e-mail of an account (account 2). */

export const PhonePage = () => <ContactWizard kind="phone" step="新手机号码" form={(run) => <PhoneForm run={run} />} />

function PhoneForm({ run }: { readonly run: (send: () => Promise<unknown>) => Promise<void> }) {
  const form = useContractForm(newPhone, { area_code: DIAL_CODE_DEFAULT, phone: '', code: '' })
  const send = useSendToPhone(form)
  const edit = useEditPhone()
  return (
    <Form
      form={form}
      onSubmit={({ area_code, phone, code }) => run(() => edit.trigger({ area_code, phone, code }).then(reloadUser))}
    >
      <PhoneField control={form.control} name="phone" label="新手机号码" required dialCodes={useDialCodes()} />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText="确认修改" busy={form.busy} />
    </Form>
  )
}

export const EmailPage = () => <ContactWizard kind="email" step="新邮箱" form={(run) => <EmailForm run={run} />} />

function EmailForm({ run }: { readonly run: (send: () => Promise<unknown>) => Promise<void> }) {
  const form = useContractForm(newEmail, { email: '', code: '' })
  const send = useSendToEmail(form)
  const edit = useEditEmail()
  return (
    <Form form={form} onSubmit={({ email, code }) => run(() => edit.trigger({ email, code }).then(reloadUser))}>
      <EmailField control={form.control} name="email" label="新邮箱" required />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText="确认修改" busy={form.busy} />
    </Form>
  )
}

const TITLES = {
  phone: { bind: '绑定手机', change: '修改手机' },
  email: { bind: '绑定邮箱', change: '修改邮箱' },
} as const

interface ContactWizardProps extends Pick<Parameters<typeof ChangeWizard>[0], 'step' | 'form'> {
  readonly kind: ContactKind
}

/** Changes a contact, or binds the second one. A dialog binds the first. */
function ContactWizard({ kind, ...props }: ContactWizardProps) {
  const { user_phone: phone, user_email: email } = useUser()
  const [title] = useState(TITLES[kind][{ phone, email }[kind] === '' ? 'bind' : 'change']) // the change itself does not rename the page
  if (phone === '' && email === '') return <Navigate to={paths.account({ bind: kind })} replace />
  return <ChangeWizard title={title} {...props} />
}
