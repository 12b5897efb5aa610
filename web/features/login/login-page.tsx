import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import { signIn as calls } from '#contract/login/sign-in.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { afterSignIn } from '#lib/session/after-sign-in.ts'
import { type LoginMode, keepSignIn, lastSignIn } from '#lib/session/last-sign-in.ts'
import { adoptSession } from '#lib/session/session.ts'
import { useLatest } from '#lib/use-latest.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useCaptcha } from '#ui/form/use-captcha.ts'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { signIn } from './api.ts'
import type { Started } from './second-step/api.ts'
import { consumeWaitingLink, loadSecondStep, signInByLink, unansweredLink } from './sign-in-by-link.ts'

/* Sign-in page of accounts and sub-accounts, with the second step. */

const MODES: readonly { readonly value: LoginMode; readonly label: string }[] = [
  { value: 'account', label: '账号登录' },
  { value: 'ram', label: '子账号登录' },
]

/** Media query for autofocus: on a phone it would open the keyboard over the page. */
const DESKTOP = '(min-width: 992px) and (pointer: fine)'

const credentials = calls.account.input.omit({ uniqid: true, nonce: true })

export function LoginPage() {
  const [last] = useState(lastSignIn)
  const [mode, setMode] = useState<LoginMode>(last.mode)
  const navigate = useNavigate()
  const { search } = useLocation()
  const form = useContractForm(credentials, { username: last.username, password: '', code: '' })
  const { setFocus, clearErrors, setError } = form
  const captcha = useCaptcha('login', form, 'code')

  useEffect(() => {
    if (matchMedia(DESKTOP).matches) setFocus(last.username === '' ? 'username' : 'password')
  }, [setFocus, last])

  const changeMode = (next: LoginMode) => {
    setMode(next)
    clearErrors() // errors of the other kind of account
  }
  const enter = (started: Started, username?: string) => {
    if (username !== undefined) keepSignIn({ mode, username })
    adoptSession(started)
    return navigate(afterSignIn(search), { replace: true })
  }
  const [step, openStep] = useSecondStep(enter, (message) => {
    captcha.renew()
    if (message) setError('code', { message }) // only the captcha must be typed again
  })
  const submit = async (values: z.output<typeof credentials>) => {
    try {
      const { data } = await captcha.withProof((proof) => signIn(mode, { ...values, ...proof }))
      await enter(data, values.username)
    } catch (error) {
      if (await openStep(error, values.username)) return
      captcha.renew()
      throw error
    }
  }

  if (step) return step
  return (
    <AuthCard
      title="登录"
      isTitleHidden
      links={
        <>
          <Link to={publicPaths.reset}>忘记密码</Link>
          <Link to={publicPaths.register + search}>注册账号</Link>
        </>
      }
    >
      <UnansweredLink
        onDone={() => navigate(afterSignIn(search), { replace: true })}
        onRefused={() => openStep(consumeWaitingLink())}
      />
      <Tabs label="登录方式" value={mode} options={MODES} onChange={changeMode}>
        <Form form={form} onSubmit={submit}>
          <TextField
            control={form.control}
            name="username"
            label="用户名"
            placeholder={mode === 'account' ? '用户名/手机号/邮箱' : '用户名@后缀'}
            autoComplete="username"
            {...(mode === 'ram' && { help: '后缀由主账号设置，可向管理员询问' })}
            isCode
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

/** Another try of a link whose exchange got no answer. The token is still good, unless the answer was lost. */
function UnansweredLink({ onDone, onRefused }: { readonly onDone: () => unknown; readonly onRefused: () => unknown }) {
  const [token, setToken] = useState(unansweredLink)
  const [isBusy, setBusy] = useState(false)
  if (token === undefined) return null
  const retry = async () => {
    setBusy(true)
    const isDone = await signInByLink(token)
    setBusy(false)
    setToken(unansweredLink())
    await (isDone ? onDone() : onRefused())
  }
  return (
    <Notice
      role="status"
      tone="warn"
      actions={
        <Button loading={isBusy} onClick={() => void retry()}>
          重试
        </Button>
      }
    >
      授权链接没有得到答复，可以重试
    </Notice>
  )
}

/** Second step of a sign-in, shown in place of the form, and the function that opens it. */
function useSecondStep(enter: (started: Started, username?: string) => void, onBack: (sentence?: string) => void) {
  const [step, setStep] = useState<ReactNode>(null)
  /** Resolves to true if the refusal asks for a second step. */
  const open = async (error: unknown, username?: string): Promise<boolean> => {
    if (!(error instanceof ApiError && error.ticket)) return false
    markHandled(error)
    const SecondStep = await loadSecondStep()
    const back = (sentence?: string) => {
      setStep(null)
      onBack(sentence)
    }
    setStep(<SecondStep refusal={error} onDone={(started) => enter(started, username)} onBack={back} />)
    return true
  }
  const latest = useLatest(open)
  useEffect(() => void latest.current(consumeWaitingLink()), [latest])
  return [step, open] as const
}
