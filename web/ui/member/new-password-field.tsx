import Button from '@douyinfe/semi-ui/lib/es/button'
import type { Control, FieldValues } from 'react-hook-form'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'

/* Form field of a new member password, with a button that generates one. */

interface NewPasswordFieldProps<V extends FieldValues, T> {
  readonly control: Control<V, unknown, T>
  readonly label: string
  readonly onGenerate: (password: string) => void
}

/** Excludes letters and digits that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const LENGTH = 12

/** At least one letter and one digit: also allowed in a member file. */
function generatePassword(): string {
  for (;;) {
    const text = Array.from({ length: LENGTH }, () => pick(LETTERS + DIGITS)).join('')
    if (/[a-zA-Z]/.test(text) && /\d/.test(text)) return text
  }
}

/** Random character, each with the same probability: a byte beyond the fair range is drawn again. */
function pick(characters: string): string {
  const fair = 256 - (256 % characters.length)
  for (;;) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) return characters[byte % characters.length] ?? ''
  }
}

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
