import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { passwordCalled, time, wireBoolean } from '#contract/kernel/fields.ts'
import { list } from '#contract/kernel/list.ts'
import { recoveryCodes, setup, totpCode, totpSetup, withSecondFactor } from './totp-fields.ts'

/* Endpoints of the second factor (TOTP): set-up, removal, recovery codes, factors of sub-accounts. */

const ramId = z.int('请选择子账号').positive('请选择子账号')

const ramRow = z.object({
  ram_id: z.int(),
  username: z.string(), // sign-in name
  nickname: z.string(),
  enrolled_time: time.nullable(), // null: no second factor
})

export const totp = {
  totp: read('account/totp', 'session', {
    summary: "The caller's second factor, and whether the account requires one of its sub-accounts",
    output: z.object({
      enrolled_time: time.nullable(), // null: none
      recovery_left: z.int(),
      ram_required: wireBoolean,
    }),
  }),
  totpSetup: write('account/totp_setup', 'session', {
    summary: 'A new secret for an authenticator; nothing is switched on by it',
    output: totpSetup,
  }),
  totpEnable: write('account/totp_enable', 'session', {
    summary: 'Switch the second factor on with its first code and the password; ends all other sessions',
    input: z.object({ setup, code: totpCode, password: passwordCalled('登录密码') }),
    output: z.object({ recovery_codes: recoveryCodes }),
    refreshes: ['account/totp', 'account/sessions', 'account/totp_rams'],
    example: { setup: 'x', code: '123456', password: 'Weilai26' },
  }),
  totpDisable: write('account/totp_disable', 'session', {
    summary: 'Switch the second factor off, with a code of it or a recovery code',
    input: withSecondFactor({}),
    done: 'closed',
    refreshes: ['account/totp'],
    example: { code: '123456' },
  }),
  totpRecovery: write('account/totp_recovery', 'session', {
    summary: 'Ten new recovery codes, with a code of the second factor or a recovery code; the old ones end',
    input: withSecondFactor({}),
    output: z.object({ recovery_codes: recoveryCodes }),
    refreshes: ['account/totp'],
    example: { code: '123456' },
  }),
  totpRams: read('account/totp_rams', 'main', {
    summary: 'Sub-accounts and since when they have a second factor',
    ...list({ row: ramRow }),
  }),
  totpRequire: write('account/totp_require', 'main', {
    summary: 'Require a second factor of sub-accounts, or no more; those without one are signed out',
    input: z.object({ required: z.union([z.literal(0), z.literal(1)], '请选择是否要求') }),
    done: 'set',
    refreshes: ['account/totp', 'account/sessions'],
    example: { required: 1 },
  }),
  totpReset: write('account/totp_reset', 'main', {
    summary: 'Remove the second factor of a sub-account, which is signed out by it',
    input: z.object({ ram_id: ramId }),
    done: 'set',
    refreshes: ['account/totp_rams', 'account/sessions'],
    example: { ram_id: 1 },
  }),
} as const
