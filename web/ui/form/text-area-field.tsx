import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface TextAreaFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  readonly maxLength?: number
  readonly rows?: number
}

export function TextAreaField<V extends FieldValues, T>(props: TextAreaFieldProps<V, T>) {
  const { placeholder = '', maxLength, rows = 4, disabled = false } = props
  const { id, error, field, status, aria } = useField(props)
  return (
    <FieldFrame id={id} label={props.label} required={props.required} error={error} help={props.help}>
      <TextArea
        {...aria}
        id={id}
        name={field.name}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        validateStatus={status}
        placeholder={placeholder}
        rows={rows}
        autosize={{ minRows: rows, maxRows: 12 }}
        disabled={disabled}
        {...(maxLength !== undefined && { maxCount: maxLength, maxLength })}
      />
    </FieldFrame>
  )
}
