import type { Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/sign-in.ts'
import { call } from '#lib/call.ts'
import type { LoginMode } from './last-sign-in.ts'

export const signIn = (mode: LoginMode, input: Input<typeof loginApi.account>) => call(loginApi[mode], input)
/** Exchanges the token of a link. The caller shows the refusal. */
export const authorize = (token: string) => call(loginApi.authorization, { token }, { quiet: true })
