import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { loginTotpApi } from '#contract/login/totp.ts'
import { call } from '#lib/call.ts'

/** The forms show refusals themselves. */
const QUIET = { quiet: true } as const

export type Started = Output<typeof loginTotpApi.totp>

export const completeSignIn = (input: Input<typeof loginTotpApi.totp>) => call(loginTotpApi.totp, input, QUIET)
export const readSetup = (ticket: string) => call(loginTotpApi.totpSetup, { ticket }, QUIET)
export const enrol = (input: Input<typeof loginTotpApi.totpEnable>) => call(loginTotpApi.totpEnable, input, QUIET)
