import type { Input } from '#contract/kernel/endpoint.ts'
import { signIn as calls } from '#contract/login/sign-in.ts'
import { call } from '#lib/call/call.ts'
import type { LoginMode } from '#lib/session/last-sign-in.ts'

/* Calls of the sign-in endpoints. */

export const signIn = (mode: LoginMode, input: Input<typeof calls.account>) => call(calls[mode], input)
/** Exchanges the token of a link. The caller shows the refusal. */
export const authorize = (token: string) => call(calls.authorization, { token }, { quiet: true })
