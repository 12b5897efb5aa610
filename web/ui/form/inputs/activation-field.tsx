import Input from '@douyinfe/semi-ui/lib/es/input'
import { useLayoutEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of an activation code, shown in groups of four while it is typed or pasted. */

/** A correction in the middle keeps the caret there. */
export function ActivationField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  const { frame, input: bound, field } = useField(props)
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  return (
    <FieldFrame {...frame}>
      <Input
        {...bound}
        ref={input}
        onChange={(text) => {
          caret.current = caretAfter(text.slice(0, input.current?.selectionStart ?? text.length))
          field.onChange(formatActivationCode(text))
        }}
        placeholder="XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
    </FieldFrame>
  )
}

const GROUP = 4
const LENGTH = 12

/** Letters and digits; a label before the code is dropped. */
const toCharacters = (text: string): string =>
  groupedCode(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')

/** XXXX-XXXX-XXXX, as it is printed on the box. */
export function formatActivationCode(text: string): string {
  return toCharacters(text).replace(/.{4}(?=.)/g, '$&-')
}

export function isWholeActivationCode(text: string): boolean {
  return toCharacters(text).length === LENGTH
}

/** Caret position in the formatted text that corresponds to a caret after `before` in the raw one. */
export function caretAfter(before: string): number {
  const count = toCharacters(before).length
  return count + Math.max(0, Math.ceil(count / GROUP) - 1)
}
