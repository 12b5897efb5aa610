import type { DayRange } from '#lib/format/format-time.ts'

interface DayInputsProps {
  readonly value: DayRange | null
  readonly onChange: (range: DayRange | null) => void
  readonly disabled: boolean
}

/** The range after one end was set to `day`: the other end is moved if reversed; an emptied end clears both. */
export function rangeWith(value: DayRange | null, end: keyof DayRange, day: string): DayRange | null {
  if (day === '') return null
  const next = { from: value?.from ?? day, to: value?.to ?? day }
  next[end] = day
  return next.from <= next.to ? next : { from: day, to: day }
}

/** Two native date inputs, used on phones. */
export function DayInputs({ value, onChange, disabled }: DayInputsProps) {
  const day = (end: keyof DayRange, label: string) => (
    <input
      type="date"
      aria-label={label}
      value={value?.[end] ?? ''}
      onChange={(event) => onChange(rangeWith(value, end, event.target.value))}
      disabled={disabled}
    />
  )
  return (
    <span className="nl-days">
      {day('from', '开始日期')}
      <span aria-hidden="true">至</span>
      {day('to', '结束日期')}
    </span>
  )
}
