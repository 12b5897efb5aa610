import type { Control } from 'react-hook-form'
import { EMAIL_MAX } from '#contract/kernel/limits.ts'
import { useBrand } from '#lib/session/brand.ts'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useDialCodes } from './api.ts'
import type { RegisterInput, RegisterValues } from './form-rules.ts'
import styles from './register-fields.module.css'
import { NICKNAME, USERNAME } from '#contract/account/limits.ts'
import { publicPaths } from '#lib/public-paths.ts'

interface Fields {
  readonly control: Control<RegisterInput, unknown, RegisterValues>
}

export function Identity({ control }: Fields) {
  return (
    <>
      <TextField control={control} name="nickname" label="昵称" maxLength={NICKNAME.max} autoComplete="nickname" />
      <TextField
        control={control}
        name="username"
        label="用户名"
        placeholder={`${USERNAME.min}-${USERNAME.max} 位字母或数字，用于登录`}
        maxLength={USERNAME.max}
        autoComplete="username"
        isCode
      />
      <div className={styles.pair}>
        <PasswordField control={control} name="password" label="密码" autoComplete="new-password" />
        <PasswordField control={control} name="newPassword" label="确认密码" autoComplete="new-password" />
      </div>
    </>
  )
}

/** Recipient of the code. */
export function Target({ control, type }: Fields & { readonly type: RegisterInput['type'] }) {
  const dialCodes = useDialCodes().data?.data
  if (type === 'phone')
    return <PhoneField control={control} name="phone" areaName="area_code" label="手机号码" dialCodes={dialCodes} />
  return (
    <TextField
      control={control}
      name="email"
      label="邮箱"
      inputMode="email"
      autoComplete="email"
      isCode
      maxLength={EMAIL_MAX}
    />
  )
}

/** Links to what the host shows as its own; a host without terms of its own names them only (account 1). */
export function Agreement({ control }: Fields) {
  const { terms } = useBrand()
  return (
    <CheckboxField control={control} name="agreement">
      我已阅读并同意
      <Term path={terms ? publicPaths.clause : null} title="《服务条款》" />和
      <Term path={terms ? publicPaths.privacy : null} title="《隐私政策》" />
    </CheckboxField>
  )
}

function Term({ path, title }: { readonly path: string | null; readonly title: string }) {
  if (path === null) return title
  return (
    <a href={path} target="_blank">
      {title}
    </a>
  )
}
