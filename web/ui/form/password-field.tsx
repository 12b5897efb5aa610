import IconEyeClosed from '@douyinfe/semi-icons/lib/es/icons/IconEyeClosedSolid'
import IconEyeOpened from '@douyinfe/semi-icons/lib/es/icons/IconEyeOpened'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { PASSWORD } from '../../../worker/contract/limits.ts'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** For password managers: fill in, or propose a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

/** Own visibility toggle: Semi's has an English accessible name. */
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
        suffix={
          <button
            type="button"
            className="nl-eye"
            aria-label="显示密码"
            aria-pressed={isShown}
            onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <IconEyeOpened /> : <IconEyeClosed />}
          </button>
        }
      />
    </FieldFrame>
  )
}
