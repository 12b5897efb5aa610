import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { ACTIVATION_REQUIRED } from '#contract/router/fields.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { isWholeActivationCode } from './activation-code.ts'
import { ActivationField } from './activation-field.tsx'

/** Activation code as the form checks it; the server knows the code's length alone. */
export const wholeCode = z
  .string()
  .min(1, ACTIVATION_REQUIRED)
  .refine(isWholeActivationCode, '激活码为 12 位字母和数字，请核对')

interface DeviceFieldsProps<V extends FieldValues, T> {
  /** Control of a form with `username` and `code`. */
  readonly control: Control<V, unknown, T>
  /** Text in front of both labels. */
  readonly of?: string
}

/** Serial number and activation code, as they are printed on a device and its box. */
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
