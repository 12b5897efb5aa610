import { Link } from 'react-router'
import { countText } from '#lib/format/format-unit.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import './identity-cell.css'

interface FirstOfProps {
  readonly items: readonly { readonly text: string; readonly to?: string }[]
  /** Names the rest for a screen reader: 组网. */
  readonly label: string
  readonly isMono?: boolean
}

/** The first of several values, and how many more there are, named in a tooltip. */
export function FirstOf({ items, label, isMono = false }: FirstOfProps) {
  const [first, ...rest] = items
  if (first === undefined) return <span className="nl-muted">—</span>
  const text = <span className={isMono ? 'nl-first-of-text nl-mono' : 'nl-first-of-text'}>{first.text}</span>
  return (
    <span className="nl-first-of">
      {first.to === undefined ? text : <Link to={first.to}>{text}</Link>}
      {rest.length > 0 && (
        <Tooltip focusable content={rest.map((item) => item.text).join('、')}>
          <span className="nl-first-of-more" aria-label={`另有 ${rest.length} 个${label}`}>
            +{rest.length}
          </span>
        </Tooltip>
      )}
    </span>
  )
}

/** The same as plain text: 华东生产网 +1. */
export const firstOfText = (texts: readonly string[]): string =>
  texts.length > 1 ? `${texts[0]} +${texts.length - 1}` : (texts[0] ?? '')

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
