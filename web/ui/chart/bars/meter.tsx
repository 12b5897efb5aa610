import type { ReactNode } from 'react'
import { countText } from '#lib/format/format-unit.ts'
import '#ui/state/status.css'
import './meter.css'

/* Progress bars of quotas: used of total. */

interface MeterProps {
  readonly label: string
  readonly used: number
  readonly total: number
  readonly tone: 'ok' | 'idle' | 'accent' | 'warn' | 'bad'
  readonly note?: ReactNode
}

export function Meter({ label, used, total, tone, note }: MeterProps) {
  const percent = total === 0 ? 0 : Math.min(100, (used / total) * 100)
  return (
    <div className="nl-meter" data-tone={tone}>
      <div>
        <span>{label}</span>
        <strong>
          {countText(used)}
          <small> / {countText(total)}</small>
        </strong>
      </div>
      <div
        className="nl-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(used, total)}
      >
        <span className={`nl-tone-${tone}`} style={{ width: `${percent}%` }} />
      </div>
      {note !== undefined && <small>{note}</small>}
    </div>
  )
}
