import { opsApi } from '#contract/ops/index.ts'
import type { Endpoint, Input, Output } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { localSecrets } from '#infra/local/secrets.ts'

const PASSWORD = 'Pass2026'

/** The operator's calls, with the token of this machine. */
export function useOps(origin: string) {
  const call = <E extends Endpoint>(spec: E, input: Input<E>): Promise<Output<E>> =>
    callEndpoint(origin, '/ops/v1', spec, input, localSecrets().OPERATOR_TOKEN)
  return {
    call,
    /** An access token of a main account, by a link as a person would get it. */
    signIn: async (username: string): Promise<string> => {
      const { url } = await call(opsApi.tokenLink, { account: username })
      const link = { token: new URL(url).searchParams.get('token') ?? '' }
      return (await callEndpoint(origin, '/api/v1', loginApi.authorization, link)).access_token
    },
    /** A tenant of this test alone; `flags` are its features. */
    newAccount: async (flags: Partial<Input<typeof opsApi.createAccount>> = {}) => {
      const mark = `1${Math.random().toString(36).slice(2, 10)}` // with a digit: a name is no word of a foreign language
      const account = { username: `u${mark}`, email: `${mark}@browser.example`, sign: `s${mark}`, password: PASSWORD }
      await call(opsApi.createAccount, { ...account, nickname: '测试租户', ...flags })
      return account
    },
  }
}
