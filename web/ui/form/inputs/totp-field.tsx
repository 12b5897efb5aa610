import Input from '@douyinfe/semi-ui/lib/es/input'
import type { FieldValues } from 'react-hook-form'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { TOTP } from '#contract/login/limits.ts'

/** Form field of an authenticator code. Apps show and copy it with a space in the middle. */
export function TotpField<V extends FieldValues, T>(props: Omit<FieldProps<V, T>, 'label'>) {
  const { frame, input, field } = useField({ ...props, label: '动态验证码' })
  return (
    <FieldFrame {...frame}>
      <Input
        {...input}
        onChange={(text) => field.onChange(text.replace(/\D/g, '').slice(0, TOTP.digits))}
        placeholder="身份验证器上的 6 位数字"
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </FieldFrame>
  )
}
