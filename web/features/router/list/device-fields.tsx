import Input from '@douyinfe/semi-ui/lib/es/input'
import { useLayoutEffect, useRef } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { ACTIVATION_REQUIRED } from '#contract/router/fields.ts'
import { FieldFrame, type FieldProps, useField } from '#ui/form/field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'

/* Form fields for the serial number and activation code of a device, as they are printed on it. */

/** Check of an activation code in the form; the server checks only its length. */
export const wholeCode = z
  .string()
  .min(1, ACTIVATION_REQUIRED)
  .refine(isWholeActivationCode, '激活码为 12 位字母和数字，请核对')

interface DeviceFieldsProps<V extends FieldValues, T> {
  /** Control of a form with `username` and `code`. */
  readonly control: Control<V, unknown, T>
  readonly of?: string
}

export function DeviceFields<V extends FieldValues, T>({ control, of = '' }: DeviceFieldsProps<V, T>) {
  return (
    <>
      <TextField
        control={control}
        name={'username' as FieldPath<V>}
        label={`${of}序列号`}
        required
        isCode
        maxLength={64}
        help="机身标签上 S/N 之后的字符，如 NL22S033"
      />
      <ActivationField
        control={control}
        name={'code' as FieldPath<V>}
        label={`${of}激活码`}
        required
        help="印在包装盒上的 12 位字母和数字，可直接粘贴"
      />
    </>
  )
}

/** Activation code, formatted while it is typed or pasted; a correction in the middle keeps the caret there. */
function ActivationField<V extends FieldValues, T>(props: FieldProps<V, T>) {
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

/** Keeps letters and digits: maps full-width forms, drops spaces and dashes. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, LENGTH)
}

/** XXXX-XXXX-XXXX, as it is printed on the box. */
export function formatActivationCode(text: string): string {
  return normalize(text).replace(/.{4}(?=.)/g, '$&-')
}

export function isWholeActivationCode(text: string): boolean {
  return normalize(text).length === LENGTH
}

/** Caret position in the formatted text that corresponds to a caret after `before` in the raw one. */
export function caretAfter(before: string): number {
  const count = normalize(before).length
  return count + Math.max(0, Math.ceil(count / GROUP) - 1)
}
