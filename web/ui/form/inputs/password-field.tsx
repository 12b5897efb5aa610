import Input from '@douyinfe/semi-ui/lib/es/input'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { EyeButton } from './eye-button.tsx'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { PASSWORD } from '#contract/account/limits.ts'

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** For password managers: fill in, or propose a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

/** A password of this console, with what password managers need. */
export function PasswordField<V extends FieldValues, T>(props: PasswordFieldProps<V, T>) {
  const { frame, input, field } = useField(props)
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        type={isShown ? 'text' : 'password'}
        onChange={field.onChange}
        placeholder={props.placeholder ?? ''}
        autoComplete={props.autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={PASSWORD.max}
        suffix={<EyeButton label="显示密码" isShown={isShown} onToggle={() => setShown(!isShown)} />}
      />
    </FieldFrame>
  )
}
