import type { FieldValues } from 'react-hook-form'
import { PASSWORD } from '#contract/account/limits.ts'
import type { FieldProps } from '../field.tsx'
import { HiddenTextField } from './hidden-text-field.tsx'

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** For password managers: fill in, or propose a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

/** A password of this console, with what password managers need. */
export function PasswordField<V extends FieldValues, T>(props: PasswordFieldProps<V, T>) {
  const { autoComplete, placeholder = '' } = props
  const attributes = { autoComplete, placeholder, maxLength: PASSWORD.max }
  return <HiddenTextField field={props} eyeLabel="显示密码" attributes={attributes} />
}
