import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { session } from './sign-in.ts'
import {
  loginTicket,
  recoveryCodes,
  setup,
  totpCode,
  totpSetup,
  withSecondFactor,
} from '#contract/account/totp-fields.ts'

/**
 * Endpoints of the second step of a sign-in that was refused with TOTP_REQUIRED or TOTP_ENROL_REQUIRED and `data.ticket`.
 * They are not in sign-in.ts, which every page loads.
 */
export const totp = {
  totp: write('login/totp', 'public', {
    limit: 'login',
    summary: 'Complete a sign-in with the code of an authenticator, or a recovery code',
    input: withSecondFactor({ ticket: loginTicket }),
    output: session,
    example: { ticket: 'x', code: '123456' },
  }),
  totpSetup: write('login/totp_setup', 'public', {
    limit: 'login',
    summary: 'Secret for the authenticator of a sub-account that must have a second factor and has none',
    input: z.object({ ticket: loginTicket }),
    output: totpSetup,
    example: { ticket: 'x' },
  }),
  totpEnable: write('login/totp_enable', 'public', {
    limit: 'login',
    summary: 'Switch the second factor on with its first code, and complete the sign-in',
    input: z.object({ ticket: loginTicket, setup, code: totpCode }),
    output: session.extend({ recovery_codes: recoveryCodes }),
    example: { ticket: 'x', setup: 'x', code: '123456' },
  }),
} as const
