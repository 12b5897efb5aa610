import type { ReactNode } from 'react'
import '#ui/state/status.css'
import './stat-tile.css'

/* Tiles of one number each, with label, note and quota bar. */

export function StatTiles({
  children,
  isLoading = false,
}: {
  readonly children: ReactNode
  readonly isLoading?: boolean
}) {
  return (
    <dl className="nl-stats" aria-busy={isLoading}>
      {children}
    </dl>
  )
}

interface StatTileProps {
  readonly label: string
  readonly value: ReactNode
  /** Text beside the value, such as a fault or a unit. */
  readonly note?: ReactNode
  readonly tone?: 'bad' | 'warn'
  /** Share of a quota in use, 0 to 1, as a bar. */
  readonly share?: number
}

export function StatTile({ label, value, note, tone, share }: StatTileProps) {
  return (
    <div className="nl-stat" data-tone={tone}>
      <dt>{label}</dt>
      <dd>
        {value}
        {note !== undefined && <small>{note}</small>}
      </dd>
      {share !== undefined && (
        <dd className="nl-track nl-stat-bar" aria-hidden="true">
          <span
            className={`nl-tone-${tone ?? 'accent'}`}
            style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }}
          />
        </dd>
      )}
    </div>
  )
}
