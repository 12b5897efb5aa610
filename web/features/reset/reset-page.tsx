import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'
import type { Output } from '#contract/kernel/endpoint.ts'
import { password, REPEAT_DIFFERS, REPEAT_REQUIRED } from '#contract/kernel/fields.ts'
import { DONE } from '#contract/kernel/result.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CaptchaField } from '#ui/form/inputs/captcha-field.tsx'
import { OtpField } from '#ui/form/inputs/otp-field.tsx'
import { PasswordField } from '#ui/form/inputs/password-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useCaptcha } from '#ui/form/use-captcha.ts'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { BackButton, Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { authenticate, findPassword, resetPassword, sendRecoveryCode } from './api.ts'

/* Page of a forgotten password (account 2): three steps, each open only after the one before. */

const STEPS = ['验证账号', '验证身份', '重置密码'] as const

export function ResetPage() {
  const [recovery, setRecovery] = useState<OpenRecovery | null>(null)
  const [contacts, setContacts] = useState<BoundContacts | null>(null)
  const [isReset, setReset] = useState(false)
  const step = isReset ? 3 : contacts !== null ? 2 : recovery !== null ? 1 : 0
  const restart = () => {
    setRecovery(null)
    setContacts(null)
  }
  return (
    <AuthCard title="找回密码" {...(step < 3 && { links: <Link to={publicPaths.login}>返回登录</Link> })}>
      <Wizard steps={STEPS} step={step} {...(step === 1 && { onBack: restart })}>
        {recovery === null && <AccountStep onDone={setRecovery} />}
        {step === 1 && recovery !== null && <IdentityStep recovery={recovery} onDone={setContacts} />}
        {step === 2 && recovery !== null && contacts !== null && (
          <PasswordStep recovery={recovery} contacts={contacts} onDone={() => setReset(true)} onRestart={restart} />
        )}
        {step === 3 && (
          <WizardDone title="密码已重置">
            <p>
              请使用新密码<Link to={publicPaths.login}>重新登录</Link>
            </p>
          </WizardDone>
        )}
      </Wizard>
    </AuthCard>
  )
}

/** Open recovery: its ways to prove the identity, and the user name. */
type OpenRecovery = Output<typeof verifyApi.findPassword> & { readonly username: string }

const account = verifyApi.findPassword.input.omit({ uniqid: true, nonce: true })

function AccountStep({ onDone }: { readonly onDone: (recovery: OpenRecovery) => void }) {
  const form = useContractForm(account, { username: '', img_code: '' })
  const captcha = useCaptcha('find_password', form, 'img_code')
  const submit = async (values: z.output<typeof account>) => {
    try {
      const { data } = await captcha.withProof((proof) => findPassword({ ...values, ...proof }))
      onDone({ ...data, username: values.username })
    } catch (error) {
      captcha.renew()
      throw error
    }
  }
  return (
    <Form form={form} onSubmit={submit}>
      <TextField
        control={form.control}
        name="username"
        label="用户名"
        placeholder="用户名/手机号/邮箱"
        autoComplete="username"
        isCode
      />
      <CaptchaField control={form.control} name="img_code" label="验证码" captcha={captcha} />
      <FormActions submitText="下一步" busy={form.busy} block />
    </Form>
  )
}

type Identity = { send_type: 'phone' | 'email'; code: string }

const [byPhone, byEmail] = verifyApi.authentication.input.options
const identity: z.ZodType<Identity, Identity> = z.discriminatedUnion('send_type', [
  byPhone.omit({ uniqid: true }),
  byEmail.omit({ uniqid: true }),
])

/** Does not reveal if the account exists: the sentence is true for every name. */
const LATE =
  '验证码只会发送到账号已绑定的手机或邮箱。没有收到？请等待5分钟，并检查拦截与垃圾信息，或换用另一种方式。子账号请联系主账号'

/** Bound contacts of the account, masked. */
type BoundContacts = Output<typeof verifyApi.authentication>

interface IdentityStepProps {
  readonly recovery: OpenRecovery
  readonly onDone: (contacts: BoundContacts) => void
}

function IdentityStep({ recovery: { uniqid, phone, email }, onDone }: IdentityStepProps) {
  const options = [
    { value: 'phone', label: phone },
    { value: 'email', label: email },
  ]
  const form = useContractForm<Identity, Identity>(identity, { send_type: 'phone', code: '' })
  const sendType = form.watch('send_type')

  const send = async () => {
    const { msg } = await sendRecoveryCode({ uniqid, send_type: sendType })
    toast.done(msg || DONE.sent)
  }
  const submit = async (values: Identity) => {
    const { data } = await authenticate({ ...values, uniqid })
    onDone(data)
  }
  return (
    <Form form={form} onSubmit={submit}>
      <RadioField control={form.control} name="send_type" label="验证方式" options={options} vertical />
      <OtpField key={sendType} control={form.control} name="code" label="验证码" send={send} help={LATE} />
      <FormActions submitText="下一步" busy={form.busy} block />
    </Form>
  )
}

const passwords = z
  .object({ password, reset_password: z.string().min(1, REPEAT_REQUIRED) })
  .refine((form) => form.password === form.reset_password, { path: ['reset_password'], message: REPEAT_DIFFERS })

interface PasswordStepProps {
  readonly recovery: OpenRecovery
  readonly contacts: BoundContacts
  readonly onDone: () => void
  readonly onRestart: () => void
}

function PasswordStep({ recovery, contacts, onDone, onRestart }: PasswordStepProps) {
  const form = useContractForm(passwords, { password: '', reset_password: '' })
  const submit = async (values: z.output<typeof passwords>) => {
    const { msg } = await resetPassword({ ...values, uniqid: recovery.uniqid })
    toast.done(msg || DONE.changed)
    onDone()
  }
  return (
    <>
      <Form form={form} onSubmit={submit}>
        <input type="text" autoComplete="username" value={recovery.username} readOnly hidden />
        <PasswordField
          control={form.control}
          name="password"
          label="新密码"
          placeholder="6-18 位"
          help={`身份验证通过：${[contacts.phone, contacts.email].filter(Boolean).join('、')}`}
          autoComplete="new-password"
        />
        <PasswordField control={form.control} name="reset_password" label="重复密码" autoComplete="new-password" />
        <FormActions submitText="重置密码" busy={form.busy} block />
      </Form>
      {form.failure !== null && <BackButton onClick={onRestart}>从第一步重新开始</BackButton>}
    </>
  )
}
