import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { Input } from '../../../worker/contract/endpoint.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { call } from '../../lib/call.ts'
import { solveChallenge } from '../../lib/proof-of-work.ts'
import type { ContractForm } from './use-contract-form.ts'

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>

export interface Captcha {
  /** Data URL of the image; undefined while it loads, and after a proof of work. */
  readonly image: string | undefined
  /** Names the captcha to the server; empty while there is none. */
  readonly uniqid: string
  /** Requests another captcha on click. */
  readonly redraw: () => Promise<unknown>
  /** Reloads after a check, which consumes the captcha with any result. Field errors remain. */
  readonly renew: () => void
  /** Solves a proof of work instead, and fills the field. */
  readonly solve: () => Promise<unknown>
}

/** The captcha of a form, whose field `name` holds the text that was read. */
export function useCaptcha<V extends FieldValues, T>(
  purpose: Purpose,
  form: ContractForm<V, T>,
  name: FieldPath<V>,
): Captcha {
  const [drawn, setDrawn] = useState<{ readonly image: string | undefined; readonly uniqid: string }>()
  const newest = useRef(0)

  const draw = useCallback(async () => {
    const mine = ++newest.current
    const reply = await call(verifyApi.code, { purpose }).catch(() => null) // shown; a click on the image retries
    if (reply !== null && mine === newest.current) setDrawn({ image: reply.data.content, uniqid: reply.data.uniqid })
  }, [purpose])
  useEffect(() => void draw(), [draw])

  const redraw = (keepError: boolean) => {
    form.resetField(name, { keepError })
    setDrawn(undefined)
    return draw()
  }
  const solve = async () => {
    const { data } = await call(verifyApi.challenge, { purpose })
    const nonce = await solveChallenge(data.challenge, data.difficulty)
    const proof = await call(verifyApi.proof, { challenge: data.challenge, nonce })
    newest.current++
    setDrawn({ image: undefined, uniqid: proof.data.uniqid })
    form.setValue(name, proof.data.code as FieldPathValue<V, FieldPath<V>>, { shouldValidate: true })
  }
  return {
    image: drawn?.image,
    uniqid: drawn?.uniqid ?? '',
    redraw: () => redraw(false),
    // Deferred until the refused field has the focus: clearing a focused field would show its error on blur.
    renew: () => void setTimeout(() => void redraw(true)),
    solve,
  }
}
