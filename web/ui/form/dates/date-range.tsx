import { lazy, Suspense } from 'react'
import { type DayRange, lastDays } from '#lib/format/format-time.ts'
import './date-range.css'
import { DayInputs } from './day-inputs.tsx'
import { Segmented } from '../segmented.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'
import { useNow } from '#ui/hooks/use-now.ts'

export interface DateRangeProps {
  readonly label: string
  /** Set by a field, whose error moves the focus here. */
  readonly id?: string
  readonly value: DayRange | null
  readonly onChange: (range: DayRange | null) => void
  readonly disabled?: boolean
}

const PRESETS = [
  { value: '1', label: '今天' },
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
] as const

const Picker = lazy(() => import('./date-range-picker.tsx'))

/** Two calendar days in Asia/Shanghai: presets, and a calendar for any other. */
export function DateRange(props: DateRangeProps) {
  const { label, id, value, onChange, disabled = false } = props
  const now = useNow()
  const isPhone = useMedia(PHONE)
  const chosen = PRESETS.find((preset) => {
    const range = lastDays(Number(preset.value), now)
    return range.from === value?.from && range.to === value.to
  })
  return (
    <div id={id} className="nl-range" role="group" aria-label={label}>
      <Segmented<string>
        label="常用范围"
        value={chosen?.value ?? ''}
        options={PRESETS}
        onChange={(days) => onChange(lastDays(Number(days), Date.now()))}
        disabled={disabled}
      />
      {isPhone ? (
        <DayInputs value={value} onChange={onChange} disabled={disabled} />
      ) : (
        // Semi's picker, 99 kB, loads after the page is shown.
        <Suspense fallback={<span className="nl-range-place">{value !== null && `${value.from} ~ ${value.to}`}</span>}>
          <Picker value={value} onChange={onChange} disabled={disabled} />
        </Suspense>
      )}
    </div>
  )
}
