import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from '../field.tsx'
import { HiddenTextField } from './hidden-text-field.tsx'

/* Form field of a secret of another system, such as a signing key: never filled in, never offered to a password manager. */

interface SecretFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly maxLength: number
  /** The server has a secret. It is never shown, and an empty field keeps it. */
  readonly isStored: boolean
}

export function SecretField<V extends FieldValues, T>({ maxLength, isStored, ...props }: SecretFieldProps<V, T>) {
  const placeholder = isStored ? '已设置，留空表示不修改' : ''
  const attributes = { autoComplete: 'one-time-code', placeholder, maxLength }
  return <HiddenTextField field={props} eyeLabel={`显示${props.label}`} attributes={attributes} />
}
