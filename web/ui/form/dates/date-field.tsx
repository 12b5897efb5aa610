import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

interface DateFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** `YYYY-MM-DD`. */
  readonly min?: string
  readonly max?: string
}

/** One day, by the browser's own input: years back are typed faster than paged. Holds `YYYY-MM-DD`. */
export function DateField<V extends FieldValues, T>(props: DateFieldProps<V, T>) {
  const { min, max } = props
  const { frame, input, field } = useField(props)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        type="date"
        onChange={field.onChange}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
      />
    </FieldFrame>
  )
}
