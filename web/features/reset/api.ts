import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call } from '#lib/call/call.ts'

/* Calls of the password recovery endpoints. */

export const findPassword = (input: Input<typeof verifyApi.findPassword>) => call(verifyApi.findPassword, input)
export const sendRecoveryCode = (input: Input<typeof verifyApi.findPasswordCode>) =>
  call(verifyApi.findPasswordCode, input)
export const authenticate = (input: Input<typeof verifyApi.authentication>) => call(verifyApi.authentication, input)
export const resetPassword = (input: Input<typeof verifyApi.resetPassword>) => call(verifyApi.resetPassword, input)
