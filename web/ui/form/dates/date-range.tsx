import { useId, useState } from 'react'
import { DAYS } from '#contract/kernel/time-range.ts'
import { type DayRange, lastDays } from '#lib/format/format-time.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { FieldNotes } from '../field.tsx'
import { Segmented } from '../segmented.tsx'
import { DayInput } from './day-input.tsx'
import { checkDay, rangeWith } from './typed-day.ts'

interface DateRangeProps {
  readonly label: string
  readonly value: DayRange | null
  readonly onChange: (range: DayRange | null) => void
  readonly disabled?: boolean
}

type End = keyof DayRange

const PRESETS = [
  { value: '1', label: '今天' },
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
] as const
const END_LABEL = { from: '开始日期', to: '结束日期' } as const
const BOUNDS = { min: DAYS.first, max: DAYS.last }

/** Two calendar days in Asia/Shanghai: presets, two typed days, and a calendar for both. */
export function DateRange({ label, value, onChange, disabled = false }: DateRangeProps) {
  const now = useNow()
  const { typed, problem, type, leave, clear } = useTypedEnds(value, onChange)
  const id = useId()
  const chosen = PRESETS.find((preset) => {
    const range = lastDays(Number(preset.value), now)
    return range.from === value?.from && range.to === value.to
  })
  const change = (range: DayRange | null) => {
    clear()
    onChange(range)
  }
  const renderEnd = (end: End) => (
    <DayInput
      input={{
        'aria-label': END_LABEL[end],
        'aria-invalid': problem?.end === end,
        ...(problem?.end === end && { 'aria-describedby': `${id}-error` }),
        value: typed[end] ?? value?.[end] ?? '',
        placeholder: END_LABEL[end],
        onChange: (text) => type(end, text),
        onBlur: () => leave(end),
        validateStatus: problem?.end === end ? 'error' : 'default',
        disabled,
      }}
      onEnter={() => leave(end)}
      calendar={{ label, picks: end, value, ...BOUNDS, onPick: change }}
    />
  )
  return (
    <div className="nl-range" role="group" aria-label={label}>
      <Segmented<string>
        label="常用范围"
        value={chosen?.value ?? ''}
        options={PRESETS}
        onChange={(days) => change(lastDays(Number(days), Date.now()))}
        disabled={disabled}
      />
      <span className="nl-days">
        {renderEnd('from')}
        <span aria-hidden="true">至</span>
        {renderEnd('to')}
      </span>
      <FieldNotes id={id} error={problem?.text} />
    </div>
  )
}

/** Texts of ends that are being typed. An end that is left is taken over, or keeps its text with what is wrong about it. */
function useTypedEnds(value: DayRange | null, onChange: (range: DayRange | null) => void) {
  const [typed, setTyped] = useState<Partial<DayRange>>({})
  const [problem, setProblem] = useState<{ readonly end: End; readonly text: string } | null>(null)
  const clear = () => {
    setTyped({})
    setProblem(null)
  }
  const key = value === null ? '' : `${value.from} ${value.to}`
  const [drawn, setDrawn] = useState(key)
  if (key !== drawn) {
    setDrawn(key)
    clear()
  }
  const leave = (end: End) => {
    const text = typed[end]
    if (text === undefined) return
    const checked = text.trim() === '' ? { day: '' } : checkDay(text, { label: END_LABEL[end], ...BOUNDS })
    if ('problem' in checked) return setProblem({ end, text: checked.problem })
    const { [end]: _, ...others } = typed
    setTyped(others)
    if (problem?.end === end) setProblem(null)
    if (checked.day !== (value?.[end] ?? '')) onChange(rangeWith(value, end, checked.day))
  }
  return { typed, problem, type: (end: End, text: string) => setTyped({ ...typed, [end]: text }), leave, clear }
}
