import Input from '@douyinfe/semi-ui/lib/es/input'
import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldValues } from 'react-hook-form'
import { dottedText, plainText } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a text with one line, with an optional counter. */

interface TextFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly placeholder?: string
  /** Limit of the counter. A longer text stays, and the schema refuses it with its sentence. */
  readonly max?: number
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'url'
  /** No free text: sign-in name, serial, address. Its cleaning is that of codes, without autocorrect and autocapitalize. */
  readonly isCode?: boolean
  /** Another cleaning than that of names or codes. */
  readonly clean?: (typed: string) => string
  /** Suffix shown inside the input: Mbps, @demo01. */
  readonly suffix?: string
}

export function TextField<V extends FieldValues, T>(props: TextFieldProps<V, T>) {
  const { placeholder = '', max, autoComplete = 'off', inputMode = 'text', isCode = false, suffix } = props
  const { clean = isCode ? dottedText : plainText } = props
  const { frame, input, field } = useField(props, clean)
  const isCounted = max !== undefined && suffix === undefined
  const ending = isCounted ? (
    <Counter length={clean(String(input.value)).length} max={max} />
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
        {...(ending !== false && { suffix: ending })}
      />
    </FieldFrame>
  )
}

/** Length and limit of the cleaned text, with its excess for screen readers. */
function Counter({ length, max }: { readonly length: number; readonly max: number }) {
  return (
    <span className="nl-suffix" data-full={length >= max}>
      <span aria-hidden="true">
        {length}/{max}
      </span>
      <span role="status" className="nl-sr">
        {length > max ? `超出 ${length - max} 个字符` : length === max && `已达 ${max} 个字符的上限`}
      </span>
    </span>
  )
}
