import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { otpText } from '#contract/kernel/input/typed-text.ts'
import { TOTP } from '#contract/login/limits.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { TextField } from './text-field.tsx'

/* Form field of the second factor, either `code` or `recovery_code`, and the switch between them. */

interface FactorFieldProps<V extends FieldValues, T> extends Pick<FieldProps<V, T>, 'control' | 'required'> {
  readonly isRecovery: boolean
}

export function FactorField<V extends FieldValues, T>({ isRecovery, ...props }: FactorFieldProps<V, T>) {
  if (!isRecovery) return <TotpField key="code" {...props} name={'code' as FieldPath<V>} />
  return (
    <TextField
      key="recovery_code"
      {...props}
      name={'recovery_code' as FieldPath<V>}
      label="恢复码"
      placeholder="例如 ABCDE-23456"
      help="开启两步验证时保存的恢复码，每个只能使用一次"
      isCode
    />
  )
}

/** Form field of an authenticator code. Apps show and copy it with a space in the middle. */
export function TotpField<V extends FieldValues, T>(props: Omit<FieldProps<V, T>, 'label'>) {
  const { frame, input, field } = useField({ ...props, label: '动态验证码' }, toDigits)
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        onChange={(text) => field.onChange(toDigits(text))}
        placeholder="身份验证器上的 6 位数字"
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FieldFrame>
  )
}

const toDigits = (typed: string): string => otpText(typed, TOTP.digits)

export function FactorSwitch({
  isRecovery,
  onSwitch,
}: {
  readonly isRecovery: boolean
  readonly onSwitch: () => void
}) {
  return (
    <button type="button" className="nl-proof" onClick={onSwitch}>
      {isRecovery ? '使用动态验证码' : '使用恢复码'}
    </button>
  )
}
