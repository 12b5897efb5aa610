import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from '../field.tsx'
import { TextField } from './text-field.tsx'

/** Form field of an e-mail address. */
export function EmailField<V extends FieldValues, T>(props: FieldProps<V, T>) {
  return <TextField {...props} inputMode="email" autoComplete="email" isCode />
}
