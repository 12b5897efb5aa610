import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#lib/call/call.ts'
import { paths } from '#lib/paths.ts'
import { Notice } from '#ui/state/notice.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { IdentityStep } from './identity-step.tsx'

interface ChangeWizardProps {
  readonly title: string
  /** Name of the step with the new value. */
  readonly step: string
  /** Form of the step. `run` sends it, and leads to the step that follows. */
  readonly form: (run: (send: () => Promise<unknown>) => Promise<void>) => ReactNode
}

const [IDENTITY, VALUE, DONE] = [0, 1, 2]

/**
 * Change of password, phone or e-mail in three steps (account 4): each opens only when the one before was accepted. From
 * the last one the way back leads to the second with its input cleared, from the others to the account.
 */
export function ChangeWizard({ title, step: valueStep, form }: ChangeWizardProps) {
  const [step, setStep] = useState(IDENTITY)
  const [refused, setRefused] = useState('')
  const navigate = useNavigate()
  const leave = () => void navigate(paths.account())

  /** Runs a step; without a valid identity step (401) the wizard begins anew. */
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
            <WizardDone title="修改成功">
              <p>其他登录已全部退出，当前登录保留。</p>
              <Button theme="solid" type="primary" onClick={leave}>
                返回账号信息
              </Button>
            </WizardDone>
          )}
        </Wizard>
      </Panel>
    </>
  )
}
