import DatePicker from '@douyinfe/semi-ui/lib/es/datePicker'
import { useState } from 'react'
import { type DayRange, lastDays } from '../lib/format-time.ts'
import type { DateRangeProps } from './date-range.tsx'

const PRESETS = [
  { text: '今天', days: 1 },
  { text: '近 7 天', days: 7 },
  { text: '近 30 天', days: 30 },
]

function asStrings({ from, to }: DayRange): [string, string] {
  return [from, to]
}

export default function DateRangePicker({ value, onChange, disabled = false }: DateRangeProps) {
  const [presets] = useState(() =>
    PRESETS.map(({ text, days }) => {
      const [start, end] = asStrings(lastDays(days, Date.now()))
      return { text, start, end }
    }),
  )
  return (
    <DatePicker
      className="nl-range"
      type="dateRange"
      format="yyyy-MM-dd"
      value={value === null ? [] : asStrings(value)}
      // The strings are calendar days; the Date objects would be midnights of the browser's own zone.
      onChange={(_, days) => {
        const [from, to] = Array.isArray(days) ? days : []
        onChange(typeof from === 'string' && from !== '' && typeof to === 'string' ? { from, to } : null)
      }}
      presets={presets}
      density="compact"
      placeholder={['开始日期', '结束日期']}
      disabled={disabled}
    />
  )
}
