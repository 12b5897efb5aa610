import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import { generatePassword } from '#lib/generate-password.ts'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'

interface NewPasswordFieldProps<V extends FieldValues, T> {
  /** Of a form with a password. */
  readonly control: Control<V, unknown, T>
  readonly label: string
  readonly onGenerate: (password: string) => void
}

/** A password that is typed or generated. */
export function NewPasswordField<V extends FieldValues, T>({
  control,
  label,
  onGenerate,
}: NewPasswordFieldProps<V, T>) {
  return (
    <PasswordField
      control={control}
      name={'password' as never}
      label={label}
      required
      autoComplete="new-password"
      help={
        <>
          6-18 个字符，也可以
          <Button size="small" theme="borderless" onClick={() => onGenerate(generatePassword())}>
            生成密码
          </Button>
        </>
      }
    />
  )
}
