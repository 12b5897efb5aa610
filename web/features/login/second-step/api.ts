import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { totp } from '#contract/login/totp.ts'
import { call, QUIET } from '#lib/call/call.ts'

export type Started = Output<typeof totp.totp>

export const completeSignIn = (input: Input<typeof totp.totp>) => call(totp.totp, input, QUIET)
export const readSetup = (ticket: string) => call(totp.totpSetup, { ticket }, QUIET)
export const enrol = (input: Input<typeof totp.totpEnable>) => call(totp.totpEnable, input, QUIET)

export interface StepProps {
  readonly ticket: string
  /** Sends a form of the step; where the ticket is no longer good, the sign-in begins anew. */
  readonly run: <T>(send: () => Promise<T>) => Promise<T>
  readonly onDone: (started: Started) => void
}
