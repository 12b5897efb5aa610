import type { ReactNode } from 'react'
import './auth-card.css'
import './text/text.css'

interface AuthCardProps {
  readonly title: string
  /** Tabs above the form say the same; the title is then for screen readers only. */
  readonly isTitleHidden?: boolean
  /** It fills the window: no room is left above it. */
  readonly isLong?: boolean
  readonly children: ReactNode
  readonly links?: ReactNode
}

export function AuthCard({ title, isTitleHidden = false, isLong = false, children, links }: AuthCardProps) {
  return (
    <section className={isLong ? 'nl-auth-card nl-auth-long' : 'nl-auth-card'}>
      <h1 className={isTitleHidden ? 'nl-sr' : undefined}>{title}</h1>
      {children}
      {links !== undefined && (
        <nav className="nl-auth-links" aria-label="其他方式">
          {links}
        </nav>
      )}
    </section>
  )
}
