import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import { loginApi } from '../../../../worker/contract/login.ts'
import { EMAIL_MAX } from '../../../../worker/contract/limits.ts'
import { afterSignIn } from '../../../lib/after-sign-in.ts'
import { call } from '../../../lib/call.ts'
import { adoptSession } from '../../../lib/session.ts'
import { AuthCard } from '../../../ui/auth-card.tsx'
import { CaptchaField } from '../../../ui/form/captcha-field.tsx'
import { Form, FormActions } from '../../../ui/form/form.tsx'
import { PasswordField } from '../../../ui/form/password-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useCaptcha } from '../../../ui/form/use-captcha.ts'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { Tabs } from '../../../ui/tabs.tsx'

/** Which of the sign-in calls the form is for (account 2). */
type LoginMode = 'account' | 'ram'
const MODES: readonly { readonly value: LoginMode; readonly label: string }[] = [
  { value: 'account', label: '账号登录' },
  { value: 'ram', label: '子账号登录' },
]

const credentials = loginApi.account.input.omit({ uniqid: true, nonce: true })

export function LoginPage() {
  const [mode, setMode] = useState<LoginMode>('account')
  const navigate = useNavigate()
  const { search } = useLocation()
  const form = useContractForm(credentials, { username: '', password: '', code: '' })
  const captcha = useCaptcha('login', form, 'code')

  const submit = async (values: z.output<typeof credentials>) => {
    try {
      const { data } = await captcha.pass((proof) => call(loginApi[mode], { ...values, ...proof }))
      adoptSession(data)
    } catch (error) {
      captcha.renew()
      throw error
    }
    await navigate(afterSignIn(search), { replace: true })
  }

  return (
    <AuthCard
      title="登录"
      isTitleHidden
      links={
        <>
          <Link to="/reset">忘记密码</Link>
          <Link to="/register">注册账号</Link>
        </>
      }
    >
      <Tabs label="登录方式" value={mode} options={MODES} onChange={setMode}>
        <Form form={form} onSubmit={submit}>
          <TextField
            control={form.control}
            name="username"
            label="用户名"
            placeholder={mode === 'account' ? '用户名/手机号/邮箱' : '用户名@后缀'}
            autoComplete="username"
            isCode
            maxLength={EMAIL_MAX}
          />
          <PasswordField
            control={form.control}
            name="password"
            label="密码"
            placeholder="请输入密码"
            autoComplete="current-password"
          />
          <CaptchaField control={form.control} name="code" label="验证码" captcha={captcha} />
          <FormActions submitText="登录" busy={form.busy} block />
        </Form>
      </Tabs>
    </AuthCard>
  )
}
