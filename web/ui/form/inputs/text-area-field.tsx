import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a text with several lines. */

interface TextAreaFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  readonly maxLength?: number
  readonly rows?: number
}

export function TextAreaField<V extends FieldValues, T>(props: TextAreaFieldProps<V, T>) {
  const { placeholder = '', maxLength, rows = 4 } = props
  const { frame, input, field } = useField(props)
  return (
    <FieldFrame {...frame}>
      <TextArea
        {...input}
        onChange={field.onChange}
        placeholder={placeholder}
        rows={rows}
        autosize={{ minRows: rows, maxRows: 12 }}
        {...(maxLength !== undefined && { maxCount: maxLength, maxLength })}
      />
    </FieldFrame>
  )
}
