import { useEffect, useState } from 'react'
import type { Control } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import type { account } from '#contract/account/account.ts'
import { NICKNAME, PASSWORD, REGISTER_REDIRECT_MS, USERNAME } from '#contract/account/limits.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { captchaText } from '#contract/kernel/fields.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { DONE } from '#contract/kernel/result.ts'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { legalAddress, useBrand } from '#lib/session/brand.ts'
import { keepSignIn } from '#lib/session/last-sign-in.ts'
import { adoptSession } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { CheckboxField } from '#ui/form/inputs/checkbox-field.tsx'
import { EmailField } from '#ui/form/inputs/email-field.tsx'
import { CODE_LATE, OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { PhoneField } from '#ui/form/inputs/phone-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useCaptcha } from '#ui/form/use-captcha.ts'
import { type ContractForm, useContractForm } from '#ui/form/use-contract-form.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { WizardDone } from '#ui/layout/wizard.tsx'
import { register, sendRegisterCode, useDialCodes } from './api.ts'
import {
  registerForm,
  type RegisterInput,
  type RegisterValues,
  targetProblem,
  toOtpTarget,
  toRegistration,
} from './form-rules.ts'
import styles from './register-page.module.css'

/* Registration page, by phone or e-mail. */

export function RegisterPage() {
  const [done, setDone] = useState<Registered | null>(null)
  const { search } = useLocation()
  if (done !== null) return <RegisterDone {...done} />
  return (
    <AuthCard
      title="注册"
      isTitleHidden
      isLong
      links={
        <span>
          已有账号？<Link to={publicPaths.login + search}>去登录</Link>
        </span>
      }
    >
      <RegisterForm onDone={setDone} />
    </AuthCard>
  )
}

type Registered = Pick<Output<typeof account.register>, 'trial'>

function RegisterDone({ trial }: Registered) {
  const navigate = useNavigate()
  const to = publicPaths.login + useLocation().search // the route guard leads on from there
  useEffect(() => {
    const timer = setTimeout(() => void navigate(to), REGISTER_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [navigate, to])
  return (
    <WizardDone title="注册成功">
      {trial !== null && (
        <p>
          已开通 {trial.seats} 个试用席位，有效期 {trial.days} 天
        </p>
      )}
      <p>
        {REGISTER_REDIRECT_MS / 1_000} 秒后进入控制台，或<Link to={to}>立即进入</Link>
      </p>
    </WizardDone>
  )
}

type Type = RegisterInput['type']

const TYPES: readonly { readonly value: Type; readonly label: string }[] = [
  { value: 'phone', label: '手机号注册' },
  { value: 'email', label: '邮箱注册' },
]
const EMPTY: RegisterInput = {
  type: 'phone',
  nickname: '',
  username: '',
  password: '',
  newPassword: '',
  area_code: DIAL_CODE_DEFAULT,
  phone: '',
  email: '',
  img_code: '',
  code: '',
  uniqid: '',
  agreement: false,
}

function RegisterForm({ onDone }: { readonly onDone: (registered: Registered) => void }) {
  const [type, setType] = useState<Type>('phone')
  const hasTerms = useBrand().terms !== null
  const form = useContractForm(registerForm, { ...EMPTY, agreement: !hasTerms })
  const { captcha, isSent, reset: forget, send } = useRegisterCode(form)

  // Inputs are kept for the other tab; the code belongs to the tab it was sent from.
  const change = (next: Type) => {
    setType(next)
    form.setValue('type', next)
    form.setValue('code', '')
    form.clearErrors()
    forget()
  }
  const submit = async (values: RegisterValues) => {
    try {
      const { data } = await register(toRegistration(values))
      keepSignIn({ mode: 'account', username: values.username }) // for the next sign-in
      adoptSession(data)
      onDone(data)
    } catch (error) {
      if (!(error instanceof ApiError) || error.field !== 'verify') throw error
      markHandled(error)
      throw new ApiError(error.code, error.msg, { field: type })
    }
  }

  return (
    <Tabs label="注册方式" value={type} options={TYPES} onChange={change}>
      <Form form={form} onSubmit={submit}>
        <IdentityFields control={form.control} />
        <TargetField control={form.control} type={type} />
        <CaptchaField control={form.control} name="img_code" label="图形验证码" captcha={captcha} />
        <OtpField
          key={type}
          control={form.control}
          name="code"
          label={type === 'phone' ? '手机验证码' : '邮箱验证码'}
          send={send}
          {...(isSent && { help: CODE_LATE })}
        />
        <AgreementField control={form.control} />
        <FormActions submitText="注册" busy={form.busy} block />
      </Form>
    </Tabs>
  )
}

/** Registration code for the present tab. It requires a captcha against message bombing. */
function useRegisterCode(form: ContractForm<RegisterInput, RegisterValues>) {
  const { getValues, setError, setValue } = form
  const captcha = useCaptcha('register', form, 'img_code')

  /** Resolves to false if nothing was sent, which unlocks the button at once. */
  const send = async () => {
    const values = getValues()
    const { type, img_code } = values
    const target = withPhoneText({ ...values, area_code: values.area_code ?? DIAL_CODE_DEFAULT })
    const problems = [
      [type, targetProblem(target)],
      ['img_code', captchaText.safeParse(img_code).error?.issues[0]?.message ?? null],
    ] as const
    const refusals = problems.flatMap(([field, message]) => (message === null ? [] : [{ field, message }]))
    for (const [at, { field, message }] of refusals.entries()) setError(field, { message }, { shouldFocus: at === 0 })
    if (refusals.length > 0) return false

    const input = { send_type: type, send_value: toOtpTarget(target), img_code }
    try {
      const { msg } = await captcha.withProof((proof) => sendRegisterCode({ ...input, ...proof }))
      toast.done(msg || DONE.sent)
      setValue('uniqid', captcha.uniqid)
      form.clearErrors('code')
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.field !== undefined) {
        markHandled(error)
        setError(error.field === 'img_code' ? 'img_code' : type, { message: error.msg }, { shouldFocus: true })
      }
      return false
    } finally {
      captcha.renew()
    }
  }
  return { captcha, isSent: form.watch('uniqid') !== '', reset: () => setValue('uniqid', ''), send }
}

interface Fields {
  readonly control: Control<RegisterInput, unknown, RegisterValues>
}

function IdentityFields({ control }: Fields) {
  return (
    <>
      <TextField control={control} name="nickname" label="昵称" max={NICKNAME.max} autoComplete="nickname" />
      <TextField
        control={control}
        name="username"
        label="用户名"
        placeholder={`${USERNAME.min}-${USERNAME.max} 位字母或数字，用于登录`}
        autoComplete="username"
        isCode
      />
      <div className={styles.pair}>
        <PasswordField
          control={control}
          name="password"
          label="密码"
          placeholder={`${PASSWORD.min}-${PASSWORD.max} 位`}
          autoComplete="new-password"
        />
        <PasswordField control={control} name="newPassword" label="确认密码" autoComplete="new-password" />
      </div>
    </>
  )
}

function TargetField({ control, type }: Fields & { readonly type: Type }) {
  const dialCodes = useDialCodes()
  if (type === 'phone') return <PhoneField control={control} name="phone" label="手机号码" dialCodes={dialCodes} />
  return <EmailField control={control} name="email" label="邮箱" />
}

/** Consent to the host's own terms (account 1). A host without them asks for none. */
function AgreementField({ control }: Fields) {
  const brand = useBrand()
  const [clause, privacy] = [legalAddress(brand, 'clause'), legalAddress(brand, 'privacy')]
  if (clause === null || privacy === null) return null
  return (
    <CheckboxField control={control} name="agreement">
      我已阅读并同意
      <Term address={clause} title="《服务条款》" />和
      <Term address={privacy} title="《隐私政策》" />
    </CheckboxField>
  )
}

const Term = ({ address, title }: { readonly address: string; readonly title: string }) => (
  <a href={address} target="_blank" rel="noopener noreferrer">
    {title}
  </a>
)
