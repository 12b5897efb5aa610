import type { FieldValues } from 'react-hook-form'
import { PASSWORD } from '#contract/account/limits.ts'
import type { FieldProps } from '../field.tsx'
import { HiddenTextField } from './hidden-text-field.tsx'

/* Form field of a password of this console, with the attributes for password managers. */

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Tells password managers to fill in, or to propose a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

export function PasswordField<V extends FieldValues, T>(props: PasswordFieldProps<V, T>) {
  const { autoComplete, placeholder = '' } = props
  const attributes = { autoComplete, placeholder, maxLength: PASSWORD.max }
  return <HiddenTextField field={props} eyeLabel="显示密码" attributes={attributes} />
}
