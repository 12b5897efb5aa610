import type { ReactNode } from 'react'
import '#ui/state/status.css'
import './share-bars.css'

/* List of shares in percent, each as a bar. */

export interface ShareBar {
  readonly name: string
  /** Percent of all. */
  readonly share: number
  readonly detail: ReactNode
}

export function ShareBars({ label, bars }: { readonly label: string; readonly bars: readonly ShareBar[] }) {
  return (
    <ol className="nl-shares" aria-label={label}>
      {bars.map(({ name, share, detail }) => (
        <li key={name}>
          <span className="nl-clip">{name}</span>
          <b>{share.toFixed(2)}%</b>
          <span className="nl-track nl-shares-bar" aria-hidden="true">
            <i style={{ width: `${share}%` }} />
          </span>
          <small>{detail}</small>
        </li>
      ))}
    </ol>
  )
}
