import { countText } from '#lib/format/format-unit.ts'
import './segmented.css'

/* Segmented switch: a choice of one option from a few. */

export interface SegmentedOption<V extends string = string> {
  readonly value: V
  readonly label: string
  /** Number of rows with this option; absent while unknown. */
  readonly count?: number | undefined
}

interface SegmentedProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly options: readonly SegmentedOption<V>[]
  readonly onChange: (value: V) => void
}

export function Segmented<V extends string>({ label, value, options, onChange }: SegmentedProps<V>) {
  return (
    <div className="nl-segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span className="nl-segmented-count"> {countText(option.count)}</span>}
        </button>
      ))}
    </div>
  )
}
