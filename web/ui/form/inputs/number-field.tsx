import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a whole number from 0 on: ports, masks, years. Holds a number, or null while empty. */

interface NumberFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly maxLength?: number
  /** Unit, such as Mbps, 年 (years), 秒 (seconds). */
  readonly suffix?: string
}

export function NumberField<V extends FieldValues, T>(props: NumberFieldProps<V, T>) {
  const { maxLength = 9, suffix } = props
  const { frame, input, field } = useField(props)
  const write = (text: string) => {
    const digits = text.replace(/\D/g, '')
    field.onChange(digits === '' ? null : Number(digits))
  }
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        onChange={write}
        maxLength={maxLength}
        inputMode="numeric"
        autoComplete="off"
        {...(suffix !== undefined && { suffix: <span className="nl-suffix">{suffix}</span> })}
      />
    </FieldFrame>
  )
}
