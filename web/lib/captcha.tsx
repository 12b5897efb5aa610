import { useCallback, useEffect, useRef, useState } from 'react'
import type { Input } from '../../worker/contract/endpoint.ts'
import { verifyApi } from '../../worker/contract/verify.ts'
import { call } from './call.ts'
import './captcha.css'
import { solveChallenge } from './proof-of-work.ts'

type Purpose = NonNullable<Input<typeof verifyApi.code>['purpose']>

export interface Captcha {
  /** Data URL of the picture; undefined while it is being drawn. */
  readonly image: string | undefined
  /** Names the captcha to the server; undefined while there is none. */
  readonly uniqid: string | undefined
  readonly refresh: () => Promise<void>
  /** Does the browser's work in place of the reader's; answers the text of a captcha that needs no reading. */
  readonly solve: () => Promise<string>
}

/** One captcha for a form. It is used up by the first check, so a refusal is followed by `refresh`. */
export function useCaptcha(purpose: Purpose): Captcha {
  const [drawn, setDrawn] = useState<{ readonly image: string | undefined; readonly uniqid: string }>()
  const newest = useRef(0)

  const draw = useCallback(async () => {
    const mine = ++newest.current
    const reply = await call(verifyApi.code, { purpose }).catch(() => null) // shown; a click on the picture tries again
    if (reply !== null && mine === newest.current) setDrawn({ image: reply.data.content, uniqid: reply.data.uniqid })
  }, [purpose])

  const refresh = () => {
    setDrawn(undefined)
    return draw()
  }
  const solve = async () => {
    const { data } = await call(verifyApi.challenge, { purpose })
    const nonce = await solveChallenge(data.challenge, data.difficulty)
    const proof = await call(verifyApi.proof, { challenge: data.challenge, nonce })
    newest.current++
    setDrawn({ image: undefined, uniqid: proof.data.uniqid })
    return proof.data.code
  }

  useEffect(() => void draw(), [draw])
  return { image: drawn?.image, uniqid: drawn?.uniqid, refresh, solve }
}

interface ProofLinkProps {
  readonly captcha: Captcha
  readonly onSolved: (code: string) => void
}

/** The way in for people who cannot read the picture: a few seconds of work by their browser. */
export function ProofLink({ captcha, onSolved }: ProofLinkProps) {
  const [state, setState] = useState<'idle' | 'working' | 'solved'>('idle')
  const start = async () => {
    setState('working')
    try {
      onSolved(await captcha.solve())
      setState('solved')
    } catch {
      setState('idle') // shown
    }
  }
  const needsAnother = state === 'solved' && captcha.image !== undefined
  if (state === 'idle' || needsAnother)
    return (
      <button type="button" className="nl-proof" onClick={start}>
        看不清图片？无障碍验证
      </button>
    )
  return <span role="status">{state === 'working' ? '正在验证，请稍候…' : '无障碍验证已通过'}</span>
}
