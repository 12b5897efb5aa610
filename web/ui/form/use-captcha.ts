import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { Input, Output } from '#contract/kernel/endpoint.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { ApiError, call, markHandled } from '#lib/call/call.ts'
import { solveChallenge } from '#lib/proof-of-work/proof-of-work.ts'
import { useLatest } from '#lib/use-latest.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import type { ContractForm } from './use-contract-form.ts'

/* Hook of the captcha of a form: image or proof of work, and calls that carry its proof. */

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>

/** Captcha fields of a request, beside the text that the user typed. */
interface Proof {
  readonly uniqid: string
  readonly nonce?: string
}

export interface Captcha {
  /** Data URL of the image; undefined while it loads, and after a proof of work. */
  readonly image: string | undefined
  /** Reason for a missing image; null while there is an image or it loads. */
  readonly failure: string | null
  /** Id of the captcha on the server; empty while there is none. */
  readonly uniqid: string
  /** Proof of work that the server asks for beside the picture after many failures. */
  readonly work: 'none' | 'working' | 'done'
  readonly redraw: () => Promise<unknown>
  /** Reloads after a check, which consumes the captcha with any result. Field errors stay. */
  readonly renew: () => void
  /** State of the proof of work that replaces the picture. */
  readonly proof: 'idle' | 'working' | 'solved'
  /** Solves a proof of work instead, and fills the field. It starts by itself if the server draws no more pictures. */
  readonly solve: () => Promise<void>
  readonly cancelProof: () => void
  /**
   * Makes a call with the captcha after its work is done. If the server asks for more work, does it and repeats the call.
   */
  readonly withProof: <T>(request: (proof: Proof) => Promise<T>) => Promise<T>
}

/** Proof of work that replaces the picture of a captcha. */
function useProof(purpose: Purpose, onSolved: (proof: Output<typeof verifyApi.proof>) => void) {
  const [state, setState] = useState<Captcha['proof']>('idle')
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
  /** Resets a consumed proof; a running one continues. */
  const reset = useCallback(() => setState((now) => (now === 'solved' ? 'idle' : now)), [])
  return { state, start, cancel, reset }
}

/** Captcha of a form; its field `name` holds the user's reading of the image. */
export function useCaptcha<V extends FieldValues, T>(
  purpose: Purpose,
  form: ContractForm<V, T>,
  name: FieldPath<V>,
): Captcha {
  const [drawn, setDrawn] = useState<{ readonly image: string | undefined; readonly uniqid: string }>()
  const [failure, setFailure] = useState<string | null>(null)
  const [work, setWork] = useState<Captcha['work']>('none')
  const newest = useRef(0)
  const nonce = useRef<Promise<string>>(undefined)

  const startWork = useCallback((uniqid: string, difficulty: number): Promise<string> => {
    const mine = newest.current
    setWork('working')
    const solved = solveChallenge(uniqid, difficulty)
    nonce.current = solved
    void solved.then(() => mine === newest.current && setWork('done'))
    return solved
  }, [])

  const replace = useCallback(
    (next: { image: string | undefined; uniqid: string }, difficulty: number) => {
      nonce.current = undefined
      setWork('none')
      setDrawn(next)
      setFailure(null)
      if (difficulty > 0) void startWork(next.uniqid, difficulty)
    },
    [startWork],
  )

  const proof = useProof(purpose, ({ uniqid: confirmedId, code }) => {
    newest.current++
    replace({ image: undefined, uniqid: confirmedId }, 0)
    form.setValue(name, code as FieldPathValue<V, FieldPath<V>>, { shouldValidate: true })
  })
  const { start: startProof, reset: resetProof } = proof

  const draw = useCallback(() => {
    const mine = ++newest.current
    resetProof()
    return call(verifyApi.code, { purpose }, { quiet: true }).then(
      ({ data }) => mine === newest.current && replace({ image: data.content, uniqid: data.uniqid }, data.difficulty),
      (error: unknown) => {
        if (mine !== newest.current) return
        setFailure(toErrorView(error).message) // in place of the image; a click retries
        if (isWithoutPicture(error)) void startProof()
      },
    )
  }, [purpose, replace, startProof, resetProof])
  useEffect(() => void draw(), [draw])
  useOnline(failure !== null, draw)

  const redraw = (keepError: boolean) => {
    form.resetField(name, { keepError })
    setDrawn(undefined)
    setFailure(null)
    return draw()
  }
  const uniqid = drawn?.uniqid ?? ''
  const withProof: Captcha['withProof'] = async (request) => {
    const done = await nonce.current
    try {
      return await request(done === undefined ? { uniqid } : { uniqid, nonce: done })
    } catch (error) {
      if (!(error instanceof ApiError) || error.difficulty === undefined) throw error
      markHandled(error)
      return request({ uniqid, nonce: await startWork(uniqid, error.difficulty) })
    }
  }
  return {
    image: drawn?.image,
    failure,
    uniqid,
    work,
    redraw: () => redraw(false),
    // Deferred until the refused field has the focus: clearing a focused field would show its error on blur.
    renew: () => void setTimeout(() => void redraw(true)),
    proof: proof.state,
    solve: proof.start,
    cancelProof: proof.cancel,
    withProof,
  }
}

/** Tries again once the network is back. */
function useOnline(isFailed: boolean, retry: () => Promise<unknown>): void {
  useEffect(() => {
    if (!isFailed) return
    const listener = () => void retry()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [isFailed, retry])
}

/** Refusals of a picture in whose place a proof of work is taken. */
const WITHOUT_PICTURE: readonly ErrorKey[] = ['ADDRESS_BUSY', 'CAPTCHA_BY_WORK', 'TOO_OFTEN']

const isWithoutPicture = (error: unknown): boolean =>
  error instanceof ApiError && WITHOUT_PICTURE.some((key) => key === error.reason)
