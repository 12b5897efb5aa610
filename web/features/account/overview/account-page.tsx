import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useSearchParams, Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { type ContactKind, useLatestUser, useTotp, useSoftwareCount } from '../api.ts'
import { AccountCards } from './account-cards.tsx'

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

const state = (enrolledTime: number | null) => (enrolledTime === null ? '两步验证未开启' : '两步验证已开启')

/** Panel of the account page: whether a second factor is on, with links to it and to the signed-in devices. */
function SecurityPanel() {
  const { data } = useTotp()
  return (
    <Panel title="登录安全" actions={<Link to={paths.security}>管理两步验证与登录设备</Link>}>
      {data === undefined ? '两步验证与登录设备' : state(data.data.enrolled_time)}
    </Panel>
  )
}

const SignDialog = lazyDialog(() => import('#ui/member/sign-dialog.tsx').then((m) => ({ default: m.SignDialog })))

/** The suffix of the accounts of software members. */
function SignPanel() {
  const { sign } = useUser()
  const softwareCount = useSoftwareCount()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="软件成员账号后缀"
      actions={<Button onClick={() => setOpen(true)}>{sign === '' ? '设置后缀' : '修改后缀'}</Button>}
    >
      {sign === '' ? '未设置。设置后才能添加软件成员。' : <span className="nl-mono">@{sign}</span>}
      {isOpen && <SignDialog sign={sign} softwareCount={softwareCount} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
