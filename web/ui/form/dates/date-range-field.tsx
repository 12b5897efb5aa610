import type { FieldValues } from 'react-hook-form'
import { DateRange } from './date-range.tsx'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/** Holds a DayRange or null. */
export function DateRangeField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  const { id, frame, field } = useField(props)
  return (
    <FieldFrame {...frame} plainLabel>
      <DateRange
        id={id}
        label={props.label}
        value={field.value ?? null}
        onChange={field.onChange}
        disabled={props.disabled ?? false}
      />
    </FieldFrame>
  )
}
