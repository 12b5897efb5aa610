import { Link } from 'react-router'
import type { OpenedLinks } from '#contract/kernel/health.ts'
import { countText } from '#lib/format/format-unit.ts'
import { linksText, unknownLinksText } from '#lib/format/links-text.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { Tooltip } from '#ui/layout/text/tooltip.tsx'
import './identity-cell.css'

/* Table cells of several values or counts: "first +n", "n of m". */

interface FirstOfProps {
  /** `name` of the linked object, if the text says more. */
  readonly items: readonly { readonly text: string; readonly to?: string; readonly name?: string }[]
  /** Noun of the further values for screen readers, such as 组网. */
  readonly label: string
  readonly isMono?: boolean
}

/** First of several values, and the number of further ones, which a tooltip names. */
export function FirstOf({ items, label, isMono = false }: FirstOfProps) {
  const [first, ...rest] = items
  if (first === undefined) return <span className="nl-muted">—</span>
  const text = <span className={isMono ? 'nl-clip nl-mono' : 'nl-clip'}>{first.text}</span>
  return (
    <span className="nl-first-of">
      {first.to === undefined ? (
        text
      ) : (
        <Link to={first.to} state={withLinkedName(first.name ?? first.text)}>
          {text}
        </Link>
      )}
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

/** Plain text of `FirstOf`: 华东生产网 +1. */
export const firstOfText = (texts: readonly string[]): string =>
  texts.length > 1 ? `${texts[0]} +${texts.length - 1}` : (texts[0] ?? '')

interface RatioProps {
  readonly of: number
  readonly total: number
  /** Stronger text, because expected ones are missing. */
  readonly isLacking?: boolean
  /** Word in place of a zero: 未生效 40, not 0/40. */
  readonly noneWord?: string
}

/** Ratio such as 38/40; a dash if there is nothing to count. */
export function Ratio({ of, total, isLacking = false, noneWord }: RatioProps) {
  if (total === 0) return <span className="nl-muted">—</span>
  if (of === 0 && noneWord !== undefined)
    return (
      <span className="nl-muted">
        {noneWord} {countText(total)}
      </span>
    )
  return (
    <span className={isLacking ? 'nl-ratio nl-ratio-lacking' : 'nl-ratio'}>
      {countText(of)}/{countText(total)}
    </span>
  )
}

/** Numbers of links: stronger while some are broken, grey while none is known, with a sentence on the unknown ones. */
export function LinkRatio({ of: links }: { readonly of: OpenedLinks }) {
  const { up, unknown, total } = links
  if (total === 0) return <span className="nl-muted">—</span>
  const tone = unknown === total ? 'nl-muted' : up + unknown < total ? 'nl-ratio nl-ratio-lacking' : 'nl-ratio'
  const numbers = <span className={tone}>{linksText(links)}</span>
  if (unknown === 0) return numbers
  return (
    <Tooltip focusable content={unknownLinksText(unknown)}>
      {numbers}
    </Tooltip>
  )
}
