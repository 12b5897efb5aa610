import { useState } from 'react'
import { Link } from 'react-router'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'
import { AccountStep, type Found } from './account-step.tsx'
import { type Bound, IdentityStep } from './identity-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { publicPaths } from '#lib/public-paths.ts'

const STEPS = ['验证账号', '验证身份', '重置密码'] as const

/** Forgotten password (account 2): each step opens only when the one before was accepted. */
export function ResetPage() {
  const [step, setStep] = useState(0)
  const [found, setFound] = useState<Found | null>(null)
  const [bound, setBound] = useState<Bound | null>(null)
  const restart = () => {
    setFound(null)
    setBound(null)
    setStep(0)
  }
  return (
    <AuthCard title="找回密码" {...(step < 3 && { links: <Link to={publicPaths.login}>返回登录</Link> })}>
      <Wizard steps={STEPS} step={step} {...(step === 1 && { onBack: restart })}>
        {(step === 0 || found === null) && (
          <AccountStep
            onDone={(account) => {
              setFound(account)
              setStep(1)
            }}
          />
        )}
        {step === 1 && found !== null && (
          <IdentityStep
            found={found}
            onDone={(contacts) => {
              setBound(contacts)
              setStep(2)
            }}
          />
        )}
        {step === 2 && found !== null && bound !== null && (
          <PasswordStep found={found} bound={bound} onDone={() => setStep(3)} onRestart={restart} />
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
