import Input from '@douyinfe/semi-ui/lib/es/input'
import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface TextFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  readonly maxLength?: number
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'url'
  /** Switches off autocorrect and autocapitalize: sign-in names, serials, addresses. */
  readonly isCode?: boolean
  /** Suffix shown inside the input: Mbps, @demo01. */
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
