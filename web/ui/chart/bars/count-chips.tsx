import { countText } from '#lib/format/format-unit.ts'
import './count-chips.css'

/* Count of each state as a chip; a click filters by it. */

interface CountChipsProps<V extends string> {
  readonly label: string
  /** Chosen state; another click on it clears the choice. */
  readonly value: V | ''
  /** Undefined while unknown. */
  readonly total: number | undefined
  /** Chips with a count of 0 are hidden, unless chosen. */
  readonly chips: readonly { readonly value: V; readonly label: string; readonly count: number }[]
  readonly onChange: (value: V | '') => void
}

export function CountChips<V extends string>({ label, value, total, chips, onChange }: CountChipsProps<V>) {
  return (
    <div className="nl-flow nl-chips" role="group" aria-label={label}>
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
