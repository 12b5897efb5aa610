import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

interface NumberFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly maxLength?: number
  /** Mbps, 年, 秒 */
  readonly suffix?: string
}

/** A whole number that is not negative: ports, masks, years. Holds a number, or null while it is empty. */
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
