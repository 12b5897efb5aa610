import { lazy, Suspense } from 'react'
import { ApiError } from '#lib/call/call.ts'
import { Form, FormActions } from '#ui/form/form.tsx'
import { FactorField, FactorSwitch } from '#ui/form/inputs/factor-field.tsx'
import { useFactorForm } from '#ui/form/use-factor-form.ts'
import { AuthCard } from '#ui/layout/auth-card.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { completeSignIn, type StepProps } from './api.ts'

/* Second step of a sign-in: a code of the second factor, or its set-up. */

const EnrolForm = lazy(() => import('./enrol-form.tsx').then((m) => ({ default: m.EnrolForm })))

interface SecondStepProps extends Pick<StepProps, 'onDone'> {
  /** Refusal of the first step: its reason selects the second step, its ticket opens it. */
  readonly refusal: ApiError
  /** Goes back to the first step, with a sentence if the ticket is no longer valid. */
  readonly onBack: (sentence?: string) => void
}

export function SecondStep({ refusal, onDone, onBack }: SecondStepProps) {
  const ticket = refusal.ticket ?? ''
  const run = async <T,>(send: () => Promise<T>): Promise<T> => {
    try {
      return await send()
    } catch (error) {
      if (error instanceof ApiError && error.reason?.startsWith('LOGIN_TICKET_')) onBack(error.msg)
      throw error
    }
  }
  if (refusal.reason === 'TOTP_REQUIRED') return <CodeForm {...{ ticket, run, onDone, onBack }} />
  const links = <BackLink onBack={onBack} />
  const loading = (
    <AuthCard title="设置两步验证" isLong links={links}>
      <Skeleton lines={5} />
    </AuthCard>
  )
  return (
    <Suspense fallback={loading}>
      <EnrolForm {...{ ticket, run, onDone, links }} />
    </Suspense>
  )
}

function CodeForm({ ticket, run, onDone, onBack }: StepProps & Pick<SecondStepProps, 'onBack'>) {
  const { form, isRecovery, toggle, toFactor } = useFactorForm()
  const submit = async (typed: Parameters<typeof toFactor>[0]) => {
    form.setValue('code', '') // a code works once, even if refused
    onDone((await run(() => completeSignIn({ ticket, ...toFactor(typed) }))).data)
  }
  const links = (
    <>
      <BackLink onBack={onBack} />
      <FactorSwitch isRecovery={isRecovery} onSwitch={toggle} />
    </>
  )
  return (
    <AuthCard title="两步验证" links={links}>
      <Form form={form} onSubmit={submit}>
        <FactorField control={form.control} isRecovery={isRecovery} />
        <FormActions submitText="登录" busy={form.busy} block />
      </Form>
    </AuthCard>
  )
}

function BackLink({ onBack }: Pick<SecondStepProps, 'onBack'>) {
  return (
    <button type="button" className="nl-proof" onClick={() => onBack()}>
      返回
    </button>
  )
}
