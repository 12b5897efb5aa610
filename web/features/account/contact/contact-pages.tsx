import { type ReactNode, useState } from 'react'
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

export const PhonePage = () => <ContactWizard kind="phone" form={(props) => <PhoneForm {...props} />} />

function PhoneForm({ run, words }: ContactFormProps) {
  const form = useContractForm(newPhone, { area_code: DIAL_CODE_DEFAULT, phone: '', code: '' })
  const send = useSendToPhone(form)
  const edit = useEditPhone()
  return (
    <Form
      form={form}
      onSubmit={({ area_code, phone, code }) => run(() => edit.trigger({ area_code, phone, code }).then(reloadUser))}
    >
      <PhoneField control={form.control} name="phone" label={words.value} required dialCodes={useDialCodes()} />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText={words.submit} busy={form.busy} />
    </Form>
  )
}

export const EmailPage = () => <ContactWizard kind="email" form={(props) => <EmailForm {...props} />} />

function EmailForm({ run, words }: ContactFormProps) {
  const form = useContractForm(newEmail, { email: '', code: '' })
  const send = useSendToEmail(form)
  const edit = useEditEmail()
  return (
    <Form form={form} onSubmit={({ email, code }) => run(() => edit.trigger({ email, code }).then(reloadUser))}>
      <EmailField control={form.control} name="email" label={words.value} required />
      <OtpField control={form.control} name="code" label="验证码" required send={send} />
      <FormActions submitText={words.submit} busy={form.busy} />
    </Form>
  )
}

const BOUND = { submit: '确认绑定', done: '绑定成功' } as const
const CHANGED = { submit: '确认修改', done: '修改成功' } as const
const WORDS = {
  phone: {
    bind: { title: '绑定手机', value: '手机号码', ...BOUND },
    change: { title: '修改手机', value: '新手机号码', ...CHANGED },
  },
  email: {
    bind: { title: '绑定邮箱', value: '邮箱', ...BOUND },
    change: { title: '修改邮箱', value: '新邮箱', ...CHANGED },
  },
} as const
type Words = (typeof WORDS)[ContactKind]['bind' | 'change']

interface ContactFormProps {
  readonly run: (send: () => Promise<unknown>) => Promise<void>
  readonly words: Words
}

interface ContactWizardProps {
  readonly kind: ContactKind
  readonly form: (props: ContactFormProps) => ReactNode
}

/** Changes a contact, or binds the second one. A dialog binds the first. */
function ContactWizard({ kind, form }: ContactWizardProps) {
  const { user_phone: phone, user_email: email } = useUser()
  const [words] = useState(WORDS[kind][{ phone, email }[kind] === '' ? 'bind' : 'change']) // the change itself does not rename the page
  if (phone === '' && email === '') return <Navigate to={paths.account({ bind: kind })} replace />
  const { title, value, done } = words
  return <ChangeWizard title={title} step={value} done={done} form={(run) => form({ run, words })} />
}
