import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { totp } from '#contract/login/totp.ts'
import { call, QUIET } from '#lib/call/call.ts'

/* Calls and props of the second step of a sign-in (TOTP). */

export type Started = Output<typeof totp.totp>

export const completeSignIn = (input: Input<typeof totp.totp>) => call(totp.totp, input, QUIET)
export const readSetup = (ticket: string) => call(totp.totpSetup, { ticket }, QUIET)
export const enrol = (input: Input<typeof totp.totpEnable>) => call(totp.totpEnable, input, QUIET)

export interface StepProps {
  readonly ticket: string
  /** Sends a form of the step; with an invalid ticket the sign-in starts again. */
  readonly run: <T>(send: () => Promise<T>) => Promise<T>
  readonly onDone: (started: Started) => void
}
