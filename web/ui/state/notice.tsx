import type { ReactNode } from 'react'
import './notice.css'

/* Notice box with a tone, an icon and actions. */

interface NoticeProps {
  readonly tone?: 'accent' | 'warn' | 'bad'
  /** `alert` for faults, `status` for running work. */
  readonly role: 'alert' | 'status'
  readonly icon?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Notice({ tone = 'accent', role, icon, actions, children }: NoticeProps) {
  return (
    <div className={`nl-notice nl-notice-${tone}`} role={role}>
      {icon}
      <span className="nl-notice-text">{children}</span>
      {actions}
    </div>
  )
}
