import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { OTP } from '../../../worker/contract/limits.ts'
import { CodeButton } from '../code-button.tsx'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

interface CodeFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  /** Sends the code; the countdown is taken back when it throws or answers false. */
  readonly send: () => Promise<unknown>
}

/** A six-digit code by SMS or mail, with the button that asks for it. */
export function CodeField<V extends FieldValues, T>(props: CodeFieldProps<V, T>) {
  const { frame, input, field } = useField(props)
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        <Input
          {...input}
          onChange={(text) => field.onChange(text.replace(/\D/g, ''))}
          placeholder="6 位验证码"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={OTP.length}
        />
        <CodeButton send={props.send} disabled={props.disabled ?? false} />
      </div>
    </FieldFrame>
  )
}
