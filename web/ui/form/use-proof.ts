import { useCallback, useEffect, useRef, useState } from 'react'
import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call } from '#lib/call.ts'
import { solveChallenge } from '#lib/proof-of-work.ts'
import { useLatest } from '#lib/use-latest.ts'

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>
type State = 'idle' | 'working' | 'solved'

/** A proof of work in place of a captcha's picture. */
export function useProof(purpose: Purpose, onSolved: (proof: Output<typeof verifyApi.proof>) => void) {
  const [state, setState] = useState<State>('idle')
  const running = useRef<AbortController>(undefined)
  const solved = useLatest(onSolved)
  useEffect(() => () => running.current?.abort(), [])

  const start = useCallback(async () => {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    setState('working')
    try {
      const { data } = await call(verifyApi.challenge, { purpose })
      const nonce = await solveChallenge(data.challenge, data.difficulty, signal)
      const proof = await call(verifyApi.proof, { challenge: data.challenge, nonce })
      if (signal.aborted) return
      solved.current(proof.data)
      setState('solved')
    } catch {
      if (!signal.aborted) setState('idle') // `call` has shown why
    }
  }, [purpose, solved])
  const cancel = useCallback(() => {
    running.current?.abort()
    setState('idle')
  }, [])
  /** It is used up; one that runs goes on. */
  const reset = useCallback(() => setState((now) => (now === 'solved' ? 'idle' : now)), [])
  return { state, start, cancel, reset }
}
