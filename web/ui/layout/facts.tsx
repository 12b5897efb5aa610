import type { ReactNode } from 'react'
import './page-header.css'

/* Description list of name–value pairs, in as many columns as fit. */

export interface Fact {
  readonly label: string
  readonly value: ReactNode
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="nl-fact-list">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '—'}</dd>
        </div>
      ))}
    </dl>
  )
}
