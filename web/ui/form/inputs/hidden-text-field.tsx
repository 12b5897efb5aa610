import IconEyeClosed from '@douyinfe/semi-icons/lib/es/icons/IconEyeClosedSolid'
import IconEyeOpened from '@douyinfe/semi-icons/lib/es/icons/IconEyeOpened'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { type ComponentProps, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'

/* Form field of a text that is hidden until the eye button is pressed. */

interface HiddenTextFieldProps<V extends FieldValues, T> {
  readonly field: FieldProps<V, T>
  readonly eyeLabel: string
  readonly attributes: Pick<ComponentProps<typeof Input>, 'placeholder' | 'autoComplete' | 'maxLength'>
}

export function HiddenTextField<V extends FieldValues, T>(props: HiddenTextFieldProps<V, T>) {
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
