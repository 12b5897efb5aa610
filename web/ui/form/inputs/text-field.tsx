import Input from '@douyinfe/semi-ui/lib/es/input'
import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a text with one line, with an optional counter. */

interface TextFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  readonly maxLength?: number
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'url'
  /** Switches off autocorrect and autocapitalize, for sign-in names, serials, addresses. */
  readonly isCode?: boolean
  /** Suffix shown inside the input: Mbps, @demo01. */
  readonly suffix?: string
}

export function TextField<V extends FieldValues, T>(props: TextFieldProps<V, T>) {
  const { placeholder = '', maxLength, autoComplete = 'off', inputMode = 'text', isCode = false, suffix } = props
  const { frame, input, field } = useField(props)
  const isCounted = maxLength !== undefined && !isCode && suffix === undefined
  const ending = isCounted ? (
    <Counter length={String(input.value).length} max={maxLength} />
  ) : (
    suffix !== undefined && <span className="nl-suffix">{suffix}</span>
  )
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
        {...(ending !== false && { suffix: ending })}
      />
    </FieldFrame>
  )
}

/** Length and limit of the text. Input beyond the limit is cut, and the counter shows it. */
function Counter({ length, max }: { readonly length: number; readonly max: number }) {
  return (
    <span className="nl-suffix" data-full={length >= max}>
      <span aria-hidden="true">
        {length}/{max}
      </span>
      <span role="status" className="nl-sr">
        {length >= max && `已达 ${max} 个字符的上限`}
      </span>
    </span>
  )
}
