import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { code } from '#contract/kernel/fields.ts'
import { OWN_PURPOSE } from '#contract/verify/index.ts'
import { ApiError } from '#lib/call/call.ts'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { Form, FormActions } from '#ui/form/form.tsx'
import { CODE_LATE, OtpField } from '#ui/form/inputs/otp-field.tsx'
import { RadioField } from '#ui/form/inputs/radio-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { Notice } from '#ui/state/notice.tsx'
import { FormNotes } from '#ui/layout/form-notes.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { type ContactKind, useProveIdentity, useSendDefaultCode } from '../api.ts'

/* Wizard that changes password, phone or e-mail in three steps (account 4); each opens only after the one before. */

interface ChangeWizardProps {
  readonly title: string
  readonly step: string
  /** Title of the last step. */
  readonly done?: string
  /** Form of the step. `run` sends it, and opens the next step. */
  readonly form: (run: (send: () => Promise<unknown>) => Promise<void>) => ReactNode
}

const NOTES = [
  '身份验证 10 分钟内有效，只用于这一次。',
  '其他浏览器和设备上的登录全部退出，当前登录保留。',
  '原来的和新的联系方式都会收到通知，站内另有一条安全消息，写明时间、地点和设备。',
]

const [IDENTITY, VALUE, DONE] = [0, 1, 2]

/** Back leads from the last step to the second one with its input cleared, from the others to the account. */
export function ChangeWizard({ title, step: valueStep, done = '修改成功', form }: ChangeWizardProps) {
  const [step, setStep] = useState(IDENTITY)
  const [refused, setRefused] = useState('')
  const navigate = useNavigate()
  const leave = () => void navigate(paths.account())

  /** Runs a step; without a valid identity step (401) the wizard starts again. */
  const run = async (send: () => Promise<unknown>) => {
    try {
      await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'IDENTITY_REQUIRED') throw error
      setRefused(error.msg)
      return setStep(IDENTITY)
    }
    setStep(DONE)
  }
  const steps = ['身份验证', valueStep, '完成']
  const back = step === DONE ? { onBack: () => setStep(VALUE) } : { onBack: leave, backText: '返回账号信息' }
  return (
    <>
      <PageHeader title={title} trail={[{ label: '账号信息', to: paths.account() }]} />
      <Panel>
        <FormNotes title="说明" notes={NOTES}>
          <Wizard steps={steps} step={step} {...back}>
            {step === IDENTITY && refused !== '' && (
              <Notice tone="warn" role="alert">
                {refused}
              </Notice>
            )}
            {step === IDENTITY && (
              <IdentityStep
                onDone={() => {
                  setRefused('')
                  setStep(VALUE)
                }}
              />
            )}
            {step === VALUE && form(run)}
            {step === DONE && (
              <WizardDone title={done}>
                <p>其他登录已全部退出，当前登录保留。</p>
                <PrimaryButton onClick={leave}>返回账号信息</PrimaryButton>
              </WizardDone>
            )}
          </Wizard>
        </FormNotes>
      </Panel>
    </>
  )
}

const identity = z.object({ send_type: z.enum(['phone', 'email']), code })
type Identity = z.output<typeof identity>

function IdentityStep({ onDone }: { readonly onDone: () => void }) {
  const { user_phone, user_email } = useUser()
  const ways = [
    { value: 'phone', label: `手机 ${user_phone}`, isThere: user_phone !== '' },
    { value: 'email', label: `邮箱 ${user_email}`, isThere: user_email !== '' },
  ].filter(({ isThere }) => isThere)
  const first: ContactKind = user_phone === '' ? 'email' : 'phone'
  const form = useContractForm<Identity, Identity>(identity, { send_type: first, code: '' })
  const sendType = form.watch('send_type')
  const sendCode = useSendDefaultCode()
  const prove = useProveIdentity()

  const submit = async (typed: Identity) => {
    await prove.trigger(
      typed.send_type === 'phone'
        ? { send_type: 'phone', verify_type: OWN_PURPOSE.phone, code: typed.code }
        : { send_type: 'email', verify_type: OWN_PURPOSE.email, code: typed.code },
    )
    onDone()
  }
  return (
    <Form form={form} onSubmit={submit}>
      <RadioField control={form.control} name="send_type" label="验证方式" options={ways} vertical />
      <OtpField
        key={sendType}
        control={form.control}
        name="code"
        label="验证码"
        required
        send={() => sendCode(sendType)}
        help={CODE_LATE}
      />
      <FormActions submitText="下一步" busy={form.busy} />
    </Form>
  )
}
