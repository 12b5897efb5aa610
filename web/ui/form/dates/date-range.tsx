import { useId, useState } from 'react'
import { DAYS } from '#contract/kernel/time-range.ts'
import { type DayRange, lastDays } from '#lib/format/format-time.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { FieldNotes } from '../field-notes.tsx'
import { Segmented } from '../segmented.tsx'
import { DayInput, toErrorProps } from './day-input.tsx'
import { checkDay, rangeWith, readDay } from './typed-day.ts'

/* Date range in Asia/Shanghai: presets, two typed days, and a calendar for both. */

interface DateRangeProps {
  readonly label: string
  readonly value: DayRange | null
  readonly onChange: (range: DayRange | null) => void
}

type End = keyof DayRange

const PRESETS = [
  { value: '1', label: '今天' },
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
] as const
const END_LABEL = { from: '开始日期', to: '结束日期' } as const
const BOUNDS = { min: DAYS.first, max: DAYS.last }

export function DateRange({ label, value, onChange }: DateRangeProps) {
  const now = useNow()
  const { typed, problems, type, leave, clear } = useTypedEnds(value, onChange)
  const id = useId()
  const chosen = PRESETS.find((preset) => {
    const range = lastDays(Number(preset.value), now)
    return range.from === value?.from && range.to === value.to
  })
  const change = (range: DayRange | null) => {
    clear()
    onChange(range)
  }
  const toShown = (end: End) => {
    const day = readDay(typed[end] ?? '')
    return day === null ? value : rangeWith(value, end, day)
  }
  const renderEnd = (end: End) => (
    <DayInput
      input={{
        'aria-label': END_LABEL[end],
        ...toErrorProps(problems[end], id),
        value: typed[end] ?? value?.[end] ?? '',
        placeholder: END_LABEL[end],
        onChange: (text) => type(end, text),
        onBlur: () => leave(end),
      }}
      onEnter={() => leave(end)}
      calendar={{ label, picks: end, value: toShown(end), ...BOUNDS, onPick: change }}
    />
  )
  return (
    <div className="nl-flow nl-range" role="group" aria-label={label}>
      <Segmented<string>
        label="常用范围"
        value={chosen?.value ?? ''}
        options={PRESETS}
        onChange={(days) => change(lastDays(Number(days), Date.now()))}
      />
      <span className="nl-days">
        {renderEnd('from')}
        <span aria-hidden="true">至</span>
        {renderEnd('to')}
      </span>
      <FieldNotes id={id} error={[problems.from, problems.to].filter(Boolean).join('；') || undefined} />
    </div>
  )
}

/** Texts of the typed ends. On blur an end is taken over, or keeps its text with the error. */
function useTypedEnds(value: DayRange | null, onChange: (range: DayRange | null) => void) {
  const [typed, setTyped] = useState<Partial<DayRange>>({})
  const [problems, setProblems] = useState<Partial<DayRange>>({})
  const clear = () => {
    setTyped({})
    setProblems({})
  }
  const key = toKey(value)
  const [drawn, setDrawn] = useState(key)
  const [sent, setSent] = useState<string | null>(null) // it returns as the value; the other end keeps a wrong text
  if (key !== drawn) {
    setDrawn(key)
    if (key !== sent) clear()
  }
  const leave = (end: End) => {
    const text = typed[end]
    if (text === undefined) return
    const checked = text.trim() === '' ? { day: '' } : checkDay(text, { label: END_LABEL[end], ...BOUNDS })
    if ('problem' in checked) return setProblems({ ...problems, [end]: checked.problem })
    setTyped(without(typed, end))
    setProblems(without(problems, end))
    if (checked.day === (value?.[end] ?? '')) return
    const range = rangeWith(value, end, checked.day)
    setSent(toKey(range))
    onChange(range)
  }
  return { typed, problems, type: (end: End, text: string) => setTyped({ ...typed, [end]: text }), leave, clear }
}

const toKey = (range: DayRange | null): string => (range === null ? '' : `${range.from} ${range.to}`)

function without(ends: Partial<DayRange>, end: End): Partial<DayRange> {
  const { [end]: _, ...others } = ends
  return others
}
