import { useState } from 'react'
import type { ProfileState } from '#contract/client/profiles.ts'
import { dateText } from '../date-text.ts'
import { type ProfileRow, revokeProfile } from '../api.ts'
import { Failure } from '../field.tsx'
import { useTask } from '../use-task.ts'
import { PhoneLink } from './phone-link.tsx'

/* One profile of a network: its state, a link for a phone, and its revocation. */

function stateText({ state, expire_time }: ProfileRow): string {
  const texts: Readonly<Record<ProfileState, string>> = {
    valid: `有效期至 ${dateText(expire_time)}`,
    ending: `将于 ${dateText(expire_time)} 到期，请重新下载`,
    expired: '已到期',
    revoked: '已失效',
  }
  return texts[state]
}

interface ProfileItemProps {
  readonly profile: ProfileRow
  readonly onChange: () => void
}

export function ProfileItem({ profile, onChange }: ProfileItemProps) {
  const { profile_id: id, device_name: name, state, last_dial_time: dialledAt } = profile
  const [opened, setOpened] = useState<'link' | 'revoke' | null>(null)
  const { isBusy, failure, run } = useTask()
  const isOpen = state === 'valid' || state === 'ending'
  const revoke = () =>
    run(async () => {
      await revokeProfile(id)
      setOpened(null)
      onChange()
    })
  const toggle = (what: 'link' | 'revoke') => setOpened(opened === what ? null : what)
  return (
    <li className={isOpen ? '' : 'over'}>
      <div className="profile">
        <span className="name">
          <strong>{name}</strong>
          <span className={state === 'ending' ? 'warning' : 'hint'}>{stateText(profile)}</span>
          {dialledAt !== null && <span className="hint">最近拨入 {dateText(dialledAt)}</span>}
        </span>
        {isOpen && (
          <span className="buttons">
            <button
              type="button"
              aria-expanded={opened === 'link'}
              aria-label={`扫码 ${name}`}
              onClick={() => toggle('link')}
            >
              扫码
            </button>
            <button
              type="button"
              aria-expanded={opened === 'revoke'}
              aria-label={`吊销 ${name}`}
              onClick={() => toggle('revoke')}
            >
              吊销
            </button>
          </span>
        )}
      </div>
      {isOpen && opened === 'link' && <PhoneLink profileId={id} />}
      {isOpen && opened === 'revoke' && (
        <p className="question" role="group" aria-label={`吊销 ${name}？`}>
          用它建立的连接会立即断开，且不能再拨入。{' '}
          <button type="button" className="danger" disabled={isBusy} onClick={() => void revoke()}>
            确定吊销
          </button>{' '}
          <button type="button" onClick={() => setOpened(null)}>
            取消
          </button>
        </p>
      )}
      <Failure text={failure} />
    </li>
  )
}
