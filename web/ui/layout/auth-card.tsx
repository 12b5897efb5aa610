import type { ReactNode } from 'react'
import './auth-card.css'

/* Card around the form of a public page: sign-in, registration, recovery. */

interface AuthCardProps {
  readonly title: string
  /** The title is for screen readers only, because tabs above the form show the same. */
  readonly isTitleHidden?: boolean
  /** Long card that fills the window, without room above it. */
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
        <nav className="nl-flow nl-auth-links" aria-label="其他方式">
          {links}
        </nav>
      )}
    </section>
  )
}
