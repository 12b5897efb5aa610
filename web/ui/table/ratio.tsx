import { countText } from '#lib/format/format-unit.ts'
import './ratio.css'

interface RatioProps {
  readonly of: number
  readonly total: number
  /** Stronger: some that should be there are missing. */
  readonly isLacking?: boolean
}

/** 38/40; a dash where there is nothing to count. */
export function Ratio({ of, total, isLacking = false }: RatioProps) {
  if (total === 0) return <span className="nl-muted">—</span>
  return (
    <span className={isLacking ? 'nl-ratio nl-ratio-lacking' : 'nl-ratio'}>
      {countText(of)}/{countText(total)}
    </span>
  )
}
