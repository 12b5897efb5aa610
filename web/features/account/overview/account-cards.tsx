import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { Icon } from '#ui/state/icon.tsx'
import type { ContactKind } from '../api.ts'
import styles from './account-cards.module.css'

interface AccountCardsProps {
  /** Opens the dialog for the first contact. */
  readonly onBind: (kind: ContactKind) => void
}

/** Cards of what belongs to the account holder, with its state (account 2). */
export function AccountCards({ onBind }: AccountCardsProps) {
  const user = useUser()
  const { nickname, birthday, industry, occupation, user_phone, user_email } = user
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
      <Card title="个人资料" isSet={hasProfile} words={['已设置', '未设置']} value={`${nickname}（${user.username}）`}>
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
      <span className={`nl-status nl-tone-${tone}`}>
        <Icon shape={isSet ? 'tick' : 'ring'} tone={tone} />
        <span className="nl-status-word">{words[isSet ? 0 : 1]}</span>
      </span>
      <p>{value}</p>
      {children}
    </li>
  )
}
