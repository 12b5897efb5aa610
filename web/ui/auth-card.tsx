import type { ReactNode } from 'react'
import './auth-card.css'

interface AuthCardProps {
  readonly children: ReactNode
  /** Ways to the other public pages, under the form. */
  readonly links?: ReactNode
}

/** The form of a public page: sign-in, registration, recovery. */
export function AuthCard({ children, links }: AuthCardProps) {
  return (
    <section className="nl-auth-card">
      {children}
      {links !== undefined && (
        <nav className="nl-auth-links" aria-label="其他方式">
          {links}
        </nav>
      )}
    </section>
  )
}
