import { LAST_KNOWN_WORD } from '#contract/kernel/states.ts'
import { type LegendItem, SAMPLE, SAMPLE_PX } from './legend-items.ts'
import styles from './legend.module.css'
import { markPath, PORT_PX } from './layout/ports.ts'

interface LegendProps {
  readonly items: readonly LegendItem[]
  readonly isStale: boolean
  /** Below what it explains, not over its corner. */
  readonly isInline?: boolean
}

/** States that are in the drawing, each with its line and its mark. */
export function Legend({ items, isStale, isInline = false }: LegendProps) {
  if (items.length === 0) return null
  return (
    <ul className={[styles.legend, isInline && styles.inline].filter(Boolean).join(' ')} aria-label="图例">
      {items.map((item) => (
        <li key={item.word}>
          <Sample item={item} />
          {item.word}
        </li>
      ))}
      {isStale && <li>{LAST_KNOWN_WORD}</li>}
    </ul>
  )
}

function Sample({ item: { line, mark, isRing } }: { readonly item: LegendItem }) {
  const { x, y } = SAMPLE.mark
  return (
    <svg {...SAMPLE_PX} aria-hidden="true">
      {line !== null && <path d={mark === null ? SAMPLE.lineOnly : SAMPLE.line} className={`nl-edge ${line}`} />}
      {mark !== null && <path d={markPath(mark, x, y, PORT_PX.radius)} className={`nl-port nl-port-${mark}`} />}
      {isRing && <path d={SAMPLE.ring} className="nl-node nl-node-online nl-node-single" />}
    </svg>
  )
}
