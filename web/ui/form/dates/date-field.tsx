import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import type { DayBounds } from './calendar-days.ts'
import { DayInput } from './day-input.tsx'
import { DAY_FORMAT, readDay } from './typed-day.ts'

/** Form field of one day. Holds `YYYY-MM-DD`, or the typed text, for which the schema has the message. */
export function DateField<V extends FieldValues, T>(props: FieldProps<V, T> & DayBounds) {
  const { label, min, max } = props
  const { frame, input, field } = useField(props)
  const [typed, setTyped] = useState<string | null>(null)
  const day = readDay(String(input.value))
  return (
    <FieldFrame {...frame}>
      <DayInput
        input={{
          ...input,
          value: typed ?? input.value,
          placeholder: DAY_FORMAT,
          onChange: (text) => {
            setTyped(text)
            field.onChange(readDay(text) ?? text)
          },
          onBlur: () => {
            setTyped(null)
            input.onBlur()
          },
        }}
        calendar={{
          label,
          picks: 'day',
          value: day === null ? null : { from: day, to: day },
          min,
          max,
          onPick: ({ from }) => {
            setTyped(null)
            field.onChange(from)
          },
        }}
      />
    </FieldFrame>
  )
}
