import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { ChangeWizard } from './change-wizard.tsx'

const TITLES = {
  phone: { bind: '绑定手机', change: '修改手机' },
  email: { bind: '绑定邮箱', change: '修改邮箱' },
} as const

/** Changes a contact, or binds it to an account that has the other one. The first contact is bound by a dialog. */
export function ContactWizard({
  kind,
  step,
  form,
}: {
  readonly kind: keyof typeof TITLES
  readonly step: string
  readonly form: (run: (send: () => Promise<unknown>) => Promise<void>) => ReactNode
}) {
  const { user_phone: phone, user_email: email } = useUser()
  const [title] = useState(TITLES[kind][{ phone, email }[kind] === '' ? 'bind' : 'change']) // the change itself does not rename the page
  if (phone === '' && email === '') return <Navigate to={paths.account({ bind: kind })} replace />
  return <ChangeWizard title={title} step={step} form={form} />
}
