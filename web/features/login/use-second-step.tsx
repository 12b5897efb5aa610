import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, markHandled } from '#lib/call/call.ts'
import { useLatest } from '#lib/use-latest.ts'
import type { Started } from './second-step/api.ts'
import { consumeWaitingLink, loadSecondStep } from './sign-in-by-link.ts'

/** Second step of a sign-in, shown in place of the form while it is waited for, and what opens it. */
export function useSecondStep(
  enter: (started: Started, username?: string) => void,
  onBack: (sentence?: string) => void,
) {
  const [step, setStep] = useState<ReactNode>(null)
  /** Resolves to whether the refusal asks for a second step. */
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
