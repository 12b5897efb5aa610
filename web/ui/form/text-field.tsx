import Input from '@douyinfe/semi-ui/lib/es/input'
import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface TextFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  readonly maxLength?: number
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'url'
  /** For what is no sentence, and what no phone may correct: names to sign in with, serials, addresses. */
  readonly isCode?: boolean
  /** A unit or an ending that belongs to the value: Mbps, @demo01. */
  readonly suffix?: string
}

export function TextField<V extends FieldValues, T>(props: TextFieldProps<V, T>) {
  const { placeholder = '', maxLength, autoComplete = 'off', inputMode = 'text', isCode = false, suffix } = props
  const { frame, input, field } = useField(props)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        onChange={field.onChange}
        placeholder={placeholder}
        autoComplete={autoComplete}
        inputMode={inputMode}
        {...(isCode && { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false })}
        {...(maxLength !== undefined && { maxLength })}
        {...(suffix !== undefined && { suffix: <span className="nl-suffix">{suffix}</span> })}
      />
    </FieldFrame>
  )
}
