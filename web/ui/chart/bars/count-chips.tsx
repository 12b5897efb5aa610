import { countText } from '#lib/format/format-unit.ts'
import './count-chips.css'

interface CountChipsProps<V extends string> {
  readonly label: string
  /** The chosen one; a click on it takes it back. */
  readonly value: V | ''
  /** Undefined: not known yet. */
  readonly total: number | undefined
  /** Those without any are left out, unless chosen. */
  readonly chips: readonly { readonly value: V; readonly label: string; readonly count: number }[]
  readonly onChange: (value: V | '') => void
}

/** Count of each state as a chip; a click filters by it. */
export function CountChips<V extends string>({ label, value, total, chips, onChange }: CountChipsProps<V>) {
  return (
    <div className="nl-chips" role="group" aria-label={label}>
      <button type="button" aria-pressed={value === ''} onClick={() => onChange('')}>
        {total === undefined ? '全部' : `共 ${countText(total)}`}
      </button>
      {chips
        .filter((chip) => chip.count > 0 || chip.value === value)
        .map((chip) => (
          <button
            key={chip.value}
            type="button"
            aria-pressed={value === chip.value}
            onClick={() => onChange(value === chip.value ? '' : chip.value)}
          >
            {chip.label} {countText(chip.count)}
          </button>
        ))}
    </div>
  )
}
