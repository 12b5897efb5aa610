import IconEyeClosed from '@douyinfe/semi-icons/lib/es/icons/IconEyeClosedSolid'
import IconEyeOpened from '@douyinfe/semi-icons/lib/es/icons/IconEyeOpened'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { type ComponentProps, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form fields of texts that are hidden until the eye button is pressed: passwords and secrets. They are never cleaned. */

interface HiddenTextFieldProps<V extends FieldValues, T> {
  readonly field: FieldProps<V, T>
  readonly eyeLabel: string
  readonly attributes: Pick<ComponentProps<typeof Input>, 'placeholder' | 'autoComplete'>
}

function HiddenTextField<V extends FieldValues, T>(props: HiddenTextFieldProps<V, T>) {
  const { frame, input, field } = useField(props.field)
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        {...props.attributes}
        type={isShown ? 'text' : 'password'}
        onChange={field.onChange}
        autoCapitalize="none"
        spellCheck={false}
        // Semi's own button has an English accessible name.
        suffix={
          <button
            type="button"
            className="nl-eye"
            aria-label={props.eyeLabel}
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

interface PasswordFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Tells password managers to fill in, or to propose a new one. */
  readonly autoComplete: 'current-password' | 'new-password'
  readonly placeholder?: string
}

/** Password of this console, with the attributes for password managers. */
export function PasswordField<V extends FieldValues, T>(props: PasswordFieldProps<V, T>) {
  const { autoComplete, placeholder = '' } = props
  return <HiddenTextField field={props} eyeLabel="显示密码" attributes={{ autoComplete, placeholder }} />
}

interface SecretFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** The server has a secret. It is never shown, and an empty field keeps it. */
  readonly isStored: boolean
}

/** Secret of another system, such as a signing key: never filled in, never offered to a password manager. */
export function SecretField<V extends FieldValues, T>({ isStored, ...props }: SecretFieldProps<V, T>) {
  const placeholder = isStored ? '已设置，留空表示不修改' : ''
  const attributes = { autoComplete: 'one-time-code', placeholder }
  return <HiddenTextField field={props} eyeLabel={`显示${props.label}`} attributes={attributes} />
}
