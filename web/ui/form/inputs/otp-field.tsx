import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { otpText } from '#contract/kernel/input/typed-text.ts'
import { OtpButton } from './otp-button.tsx'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { OTP } from '#contract/verify/limits.ts'

/* Form field of a one-time password by SMS or mail, with the button that requests it. */

export const CODE_LATE = '没有收到验证码？请等待5分钟，并检查拦截与垃圾信息后再重新获取' // account 4

const toDigits = (typed: string): string => otpText(typed, OTP.length)

interface OtpFieldProps<V extends FieldValues, T> extends FieldProps<V, T> {
  readonly send: () => Promise<unknown>
}

export function OtpField<V extends FieldValues, T>(props: OtpFieldProps<V, T>) {
  const { frame, input, field, clearError } = useField(props, toDigits)
  const send = async () => {
    const sent = await props.send()
    if (sent !== false) clearError()
    return sent
  }
  return (
    <FieldFrame {...frame}>
      <div className="nl-joined">
        <Input
          {...input}
          onChange={(text) => field.onChange(toDigits(text))}
          placeholder="6 位验证码"
          inputMode="numeric"
          autoComplete="one-time-code"
        />
        <OtpButton send={send} />
      </div>
    </FieldFrame>
  )
}
