import { useSearchParams } from 'react-router'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { type ContactKind, useLatestUser } from '../api.ts'
import { AccountCards } from './account-cards.tsx'
import { SecurityPanel } from './security-panel.tsx'
import { SignPanel } from './sign-panel.tsx'

const BIND = {
  phone: lazyDialog(() => import('../contact/bind-dialog.tsx').then((m) => ({ default: m.BindPhoneDialog }))),
  email: lazyDialog(() => import('../contact/bind-dialog.tsx').then((m) => ({ default: m.BindEmailDialog }))),
} as const

/** Page of the account holder (account 2). The open dialog is part of the address, so that other pages lead to it. */
export function AccountPage() {
  const { user_phone, user_email } = useLatestUser()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('bind')
  const isFirst = user_phone === '' && user_email === ''
  const bind = (kind: ContactKind | null) => setQuery(kind === null ? {} : { bind: kind }, { replace: true })
  const Dialog = isFirst && (asked === 'phone' || asked === 'email') ? BIND[asked] : null
  return (
    <>
      <PageHeader title="账号信息" />
      <AccountCards onBind={bind} />
      <SignPanel />
      <SecurityPanel />
      {Dialog !== null && <Dialog onClose={() => bind(null)} />}
    </>
  )
}
