import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import { type ContactKind, useLatestUser, useSoftwareCount, useTotp } from '../api.ts'
import styles from './account-page.module.css'

/* Page of the account holder (account 2). The open dialog is part of the address, so that other pages can link to it. */

const BIND = {
  phone: lazyDialog(() => import('../contact/bind-dialog.tsx').then((m) => m.BindPhoneDialog)),
  email: lazyDialog(() => import('../contact/bind-dialog.tsx').then((m) => m.BindEmailDialog)),
} as const

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

function SecurityPanel() {
  const { data } = useTotp()
  return (
    <Panel title="登录安全" actions={<Link to={paths.security}>管理两步验证与登录设备</Link>}>
      {data === undefined ? '两步验证与登录设备' : `两步验证${data.data.enrolled_time === null ? '未' : '已'}开启`}
    </Panel>
  )
}

const SignDialog = lazyDialog(() => import('#ui/member/account-suffix-dialog.tsx').then((m) => m.SignDialog))

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

function AccountCards({ onBind }: { onBind: (kind: ContactKind) => void }) {
  const { username, nickname, birthday, industry, occupation, user_phone, user_email } = useUser()
  const hasProfile = [nickname, birthday, industry, occupation].every((text) => text !== '')
  const hasContact = user_phone !== '' || user_email !== ''
  const contact = (kind: ContactKind, noun: string, bound: string) => (
    <Card title={noun} isSet={bound !== ''} words={['已认证', '未认证']} value={bound || `尚未绑定${noun}`}>
      {hasContact ? (
        <Link
          to={kind === 'phone' ? paths.changePhone : paths.changeEmail}
        >{`${bound === '' ? '绑定' : '修改'}${noun}`}</Link>
      ) : (
        <button type="button" className={styles.verb} onClick={() => onBind(kind)}>
          绑定{noun}
        </button>
      )}
    </Card>
  )
  return (
    <ul className={styles.cards}>
      <Card title="登录密码" isSet words={['已设置', '未设置']} value="用于登录控制台，建议定期更换">
        <Link to={paths.changePassword}>修改密码</Link>
      </Card>
      <Card title="个人资料" isSet={hasProfile} words={['已设置', '未设置']} value={`${nickname}（${username}）`}>
        <Link to={paths.profile}>编辑资料</Link>
      </Card>
      {contact('phone', '手机', user_phone)}
      {contact('email', '邮箱', user_email)}
    </ul>
  )
}

interface CardProps {
  readonly title: string
  readonly isSet: boolean
  readonly words: readonly [set: string, unset: string]
  readonly value: string
  readonly children: ReactNode
}

function Card({ title, isSet, words, value, children }: CardProps) {
  const tone = isSet ? 'ok' : 'warn'
  return (
    <li className={styles.card}>
      <h2>{title}</h2>
      <StatusWord shape={isSet ? 'tick' : 'ring'} tone={tone} word={words[isSet ? 0 : 1]} />
      <p>{value}</p>
      {children}
    </li>
  )
}
