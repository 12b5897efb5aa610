import type { FieldValues } from 'react-hook-form'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import type { FieldProps } from '#ui/form/field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'

/* Text field of an e-mail address. */

export function EmailField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  return <TextField {...props} inputMode="email" autoComplete="email" isCode maxLength={EMAIL_MAX} />
}
