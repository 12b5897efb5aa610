import { lazy, Suspense } from 'react'
import type { DayRange } from '../lib/format-time.ts'
import './date-range.css'

export interface DateRangeProps {
  readonly label: string
  readonly value: DayRange | null
  readonly onChange: (range: DayRange | null) => void
  readonly disabled?: boolean
}

const Picker = lazy(() => import('./date-range-picker.tsx'))

/** Two calendar days in Asia/Shanghai. Semi's picker, 99 kB, arrives after the page stands. */
export function DateRange(props: DateRangeProps) {
  return (
    <span role="group" aria-label={props.label}>
      <Suspense fallback={<DateRangePlace value={props.value} />}>
        <Picker {...props} />
      </Suspense>
    </span>
  )
}

/** As wide and high as the picker, so nothing moves when it comes. */
function DateRangePlace({ value }: Pick<DateRangeProps, 'value'>) {
  return <span className="nl-range nl-range-place">{value === null ? '' : `${value.from} ~ ${value.to}`}</span>
}
