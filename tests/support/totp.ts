import type { ErrorKey } from '#contract/kernel/errors.ts'
import { totpCodeAt } from './authenticator.ts'
import { type Caller, PASSWORD } from './fixtures.ts'
import { signIn } from './identity.ts'
import { type Answer, type CallOptions, call } from './test-worker.ts'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { TOTP } from '#contract/login/limits.ts'

export interface Authenticator {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** The code of the time step so many from now. No code is good twice: later ones are asked for in turn. */
  readonly code: (offset?: number) => string
}

/** Codes of an authenticator app for a secret, by the test's clock. */
export const codesOf =
  (secret: string) =>
  (offset = 0) =>
    totpCodeAt(secret, Date.now() + offset * TOTP.periodSeconds * 1000)

/** Switches the second factor of the caller on, with the code of the step before: that of now is unused. */
export async function enableTotp({ call }: Pick<Caller, 'call'>): Promise<Authenticator> {
  const { secret, setup } = (await call(accountApi.totpSetup, {})).data
  const code = codesOf(secret)
  const { data, msg } = await call(accountApi.totpEnable, { setup, code: code(-1), password: PASSWORD })
  if (!data) throw new Error(msg)
  return { secret, recoveryCodes: data.recovery_codes, code }
}

/** The ticket that a refused sign-in carries beside its reason. */
export const readTicket = (answer: Answer<unknown>): string => (answer.data as { ticket?: string } | null)?.ticket ?? ''

/** First step with the right password. */
export async function beginSignIn(username: string, sent: CallOptions = {}): Promise<string> {
  const kind = username.includes('@') ? 'ram' : 'account'
  const answer = await signIn(username, {}, { ...sent, kind })
  return readTicket(answer)
}

/** Second step. */
export const complete = (ticket: string, typed: { code?: string; recovery_code?: string }, sent: CallOptions = {}) =>
  call(loginApi.totp, { ticket, ...typed }, sent)

/** A code that none of the steps around now has. */
export const wrongCode = ({ code }: Pick<Authenticator, 'code'>): string => {
  const good = [-2, -1, 0, 1, 2].map(code)
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((text) => !good.includes(text))!
}

export const reasonsOf = (answers: readonly { readonly reason?: ErrorKey; readonly code: number }[]) =>
  answers.map(({ reason, code }) => reason ?? code).toSorted()
