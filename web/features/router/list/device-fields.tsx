import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import * as z from 'zod'
import { ACTIVATION_REQUIRED } from '#contract/router/fields.ts'
import { ActivationField, isWholeActivationCode } from '#ui/form/inputs/activation-field.tsx'
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
