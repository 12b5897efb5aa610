import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { codeText, wholeNumber } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a whole number: ports, masks, years. Holds a number, or null while empty. */

interface NumberFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Unit, such as Mbps, 年 (years), 秒 (seconds). */
  readonly suffix?: string
}

export function NumberField<V extends FieldValues, T>(props: NumberFieldProps<V, T>) {
  const { suffix } = props
  const { frame, input, field } = useField(props, codeText)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        // Any other text than a number stays as it is, and the schema refuses it: 1.5 is not 15.
        onChange={(text) => field.onChange(codeText(text) === '' ? null : wholeNumber(text))}
        inputMode="numeric"
        autoComplete="off"
        {...(suffix !== undefined && { suffix: <span className="nl-suffix">{suffix}</span> })}
      />
    </FieldFrame>
  )
}
