import type { Context } from 'hono'
import { renderSVG } from 'uqr'
import { refuse } from '#contract/kernel/errors.ts'
import { type SignInPage, signInPage } from '#domain/auth-source/sign-in-page.ts'
import type { HonoEnv } from '#http/context.ts'
import { answerFailure, answerPage } from '#http/answer-page.ts'
import { confirmSignIn, receiveCallback } from './auth-callback.ts'

/** DingTalk calls its code `authCode`. */
export async function callbackPage(c: Context<HonoEnv>): Promise<Response> {
  if (c.req.method !== 'GET') return c.body(null) // a HEAD of a scanner uses nothing up
  const { state = '', code = '', authCode = '' } = c.req.query()
  return show(c, () => receiveCallback(c.get('ctx'), { state, code: authCode || code }))
}

export function confirmPage(c: Context<HonoEnv>): Promise<Response> {
  return show(c, async () => {
    const { token, answer } = await c.req.parseBody().catch(() => refuse('BODY_MALFORMED'))
    return confirmSignIn(c.get('ctx'), typeof token === 'string' ? token : '', answer === 'yes')
  })
}

async function show(c: Context<HonoEnv>, read: () => Promise<SignInPage>): Promise<Response> {
  try {
    return answerPage(c, signInPage(await read(), toPicture))
  } catch (error) {
    return answerFailure(c, '登录失败', error)
  }
}

const toPicture = (text: string): string => {
  const svg = renderSVG(text, { ecc: 'M', border: 4 })
  return `<img alt="授权链接的二维码" src="data:image/svg+xml,${encodeURIComponent(svg)}">`
}
