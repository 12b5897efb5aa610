import Input from '@douyinfe/semi-ui/lib/es/input'
import { useLayoutEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '#ui/form/field.tsx'
import { caretAfter, formatActivationCode } from './activation-code.ts'

/** Activation code, formatted while it is typed or pasted; a correction in the middle keeps the caret there. */
export function ActivationField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  const { id, error, field, status, aria } = useField(props)
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  return (
    <FieldFrame id={id} label={props.label} required={props.required} error={error} help={props.help}>
      <Input
        {...aria}
        ref={input}
        id={id}
        name={field.name}
        value={field.value ?? ''}
        onChange={(text) => {
          caret.current = caretAfter(text.slice(0, input.current?.selectionStart ?? text.length))
          field.onChange(formatActivationCode(text))
        }}
        onBlur={field.onBlur}
        validateStatus={status}
        placeholder="XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        disabled={props.disabled ?? false}
      />
    </FieldFrame>
  )
}
