import * as z from 'zod'
import { SENTENCE } from '#contract/kernel/result.ts'
import { otpOf } from '#contract/kernel/fields.ts'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'
import { TOTP } from '#contract/login/limits.ts'

/* Fields of the second factor (TOTP), which the calls of login and account share. */

export const totpCode = otpOf('动态验证码不能为空')

const RECOVERY_CODE = '恢复码为10位字母和数字，请核对'
/** Recovery code in any case, with or without its hyphen. */
export const recoveryCode = z
  .string()
  .overwrite((text) => groupedCode(text).toUpperCase())
  .min(1, '恢复码不能为空')
  .regex(new RegExp(`^[0-9A-Z]{${TOTP.recoveryLength}}$`), RECOVERY_CODE)

const SETUP_GONE = '二维码已失效，请刷新页面后重新扫描'
/** Sealed secret of a set-up, which the page sends back. */
export const setup = z.string(SETUP_GONE).min(1, SETUP_GONE).max(512, SETUP_GONE)

/** Login ticket from the refusals TOTP_REQUIRED and TOTP_ENROL_REQUIRED of a sign-in. */
export const loginTicket = z
  .string(SENTENCE.loginTicketGone)
  .min(1, SENTENCE.loginTicketGone)
  .max(64, SENTENCE.loginTicketGone)

export const secondFactor = z.object({ code: totpCode.optional(), recovery_code: recoveryCode.optional() })

const CODE_MISSING = { path: ['code'], message: '动态验证码不能为空' }
const hasSecondFactor = ({ code, recovery_code }: z.output<typeof secondFactor>): boolean =>
  (code === undefined) !== (recovery_code === undefined)
export const withSecondFactor = <S extends z.ZodRawShape>(shape: S) =>
  secondFactor.extend(shape).refine((sent) => hasSecondFactor(sent as z.output<typeof secondFactor>), CODE_MISSING)

export const totpSetup = z.object({
  secret: z.string(), // base32
  uri: z.string(), // otpauth://totp/…, the content of the QR code
  setup, // to be sent back with the first code
})

/** Recovery codes, shown once. */
export const recoveryCodes = z.array(z.string())
