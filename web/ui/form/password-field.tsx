import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { PASSWORD } from '../../../worker/contract/limits.ts'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Tells password managers whether to fill in or to propose. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

export function PasswordField<V extends FieldValues, T>(props: PasswordFieldProps<V, T>) {
  const { frame, input, field } = useField(props)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        mode="password"
        onChange={field.onChange}
        placeholder={props.placeholder ?? ''}
        autoComplete={props.autoComplete}
        maxLength={PASSWORD.max}
      />
    </FieldFrame>
  )
}
