import { opsApi } from '#contract/ops/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import type { Server } from './stack.ts'
import { loginApi } from '#contract/login/index.ts'

/** Another session of an account, by a token link: no captcha, and no limit of sign-ins. */
export async function openSession({ origin, operatorToken }: Server, account: string): Promise<string> {
  const { url } = await callEndpoint(origin, '/ops/v1', opsApi.tokenLink, { account }, operatorToken)
  const token = new URL(url).searchParams.get('token') ?? ''
  return (await callEndpoint(origin, '/api/v1', loginApi.authorization, { token })).access_token
}

export type WriteToken = () => Promise<string>

/** A token for one write. No session writes more than its budget of a minute: then the next is opened. */
export function writeTokens(stack: Server, account: string): WriteToken {
  let [session, left] = [Promise.resolve(''), 0]
  return () => {
    if (left === 0) [session, left] = [openSession(stack, account), WRITE_BUDGET.limit]
    left -= 1
    return session
  }
}
