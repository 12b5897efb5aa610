import type { FieldPath, FieldValues } from 'react-hook-form'
import type { FieldProps } from '../field.tsx'
import { TextField } from './text-field.tsx'
import { TotpField } from './totp-field.tsx'

interface FactorFieldProps<V extends FieldValues, T> extends Pick<FieldProps<V, T>, 'control' | 'required'> {
  /** The recovery code in place of the authenticator's. */
  readonly isRecovery: boolean
}

/** `code` or `recovery_code` of a form, one of them at a time. */
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
      maxLength={16}
    />
  )
}

/** To the recovery code, and back to the authenticator's. */
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
