import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldPath, FieldPathValue, FieldValues } from 'react-hook-form'
import type { Input } from '../../../worker/contract/endpoint.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { call } from '../../lib/call.ts'
import { solveChallenge } from '../../lib/proof-of-work.ts'
import type { ContractForm } from './use-contract-form.ts'

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>

export interface Captcha {
  /** Data URL of the picture; undefined while it is being drawn, and where a proof of work took its place. */
  readonly image: string | undefined
  /** Names the captcha to the server; empty while there is none. */
  readonly uniqid: string
  /** Requests another captcha on click. */
  readonly redraw: () => Promise<unknown>
  /** Reloads after a check, which consumes the captcha with any result. Field errors remain. */
  readonly renew: () => void
  /** Proof of work in place of the reader's eyes; it fills the field. */
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
    const reply = await call(verifyApi.code, { purpose }).catch(() => null) // shown; a click on the picture tries again
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
    // Only after the focus has gone to the refused field: an emptied field that loses the focus would complain.
    renew: () => void setTimeout(() => void redraw(true)),
    solve,
  }
}
