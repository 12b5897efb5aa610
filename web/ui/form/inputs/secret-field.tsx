import Input from '@douyinfe/semi-ui/lib/es/input'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { EyeButton } from './eye-button.tsx'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

interface SecretFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly maxLength: number
  /** The server has a secret. It is never shown, and an empty field keeps it. */
  readonly isStored: boolean
}

/** A secret of another system, such as a bind password or a signing key: never filled in, never offered to a password manager. */
export function SecretField<V extends FieldValues, T>({ maxLength, isStored, ...props }: SecretFieldProps<V, T>) {
  const { frame, input, field } = useField(props)
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        type={isShown ? 'text' : 'password'}
        onChange={field.onChange}
        placeholder={isStored ? '已设置，留空表示不修改' : ''}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxLength}
        suffix={<EyeButton label={`显示${props.label}`} isShown={isShown} onToggle={() => setShown(!isShown)} />}
      />
    </FieldFrame>
  )
}
