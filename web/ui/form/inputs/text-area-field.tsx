import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import type { FieldValues } from 'react-hook-form'
import { visibleText } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a text with several lines. */

interface TextAreaFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  /** Limit of the counter. A longer text stays, and the schema refuses it with its sentence. */
  readonly max?: number
  readonly rows?: number
}

export function TextAreaField<V extends FieldValues, T>(props: TextAreaFieldProps<V, T>) {
  const { placeholder = '', max, rows = 4 } = props
  const { frame, input, field } = useField(props, visibleText)
  return (
    <FieldFrame {...frame}>
      <TextArea
        {...input}
        onChange={field.onChange}
        placeholder={placeholder}
        rows={rows}
        autosize={{ minRows: rows, maxRows: 12 }}
        {...(max !== undefined && { maxCount: max, getValueLength: lengthOf })}
      />
    </FieldFrame>
  )
}

const lengthOf = (typed: string): number => visibleText(typed).trim().length
