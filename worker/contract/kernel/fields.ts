import * as z from 'zod'
import { DIAL_CODE_DEFAULT, EMAIL_MAX, SEARCH_MAX } from './limits.ts'
import { charactersOf, sentenceOf } from './input/input-sentence.ts'
import { dialCodeText, internationalText, phoneProblem } from './input/phone.ts'
import { EPOCH_MS } from './time-range.ts'
import { codeText, dottedText, groupedCode, otpText, plainText, visibleText, wholeNumber } from './input/typed-text.ts'
import { NICKNAME, PASSWORD, USERNAME } from '#contract/account/limits.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { SOFTWARE } from '#contract/router/limits.ts'
import { CAPTCHA, OTP } from '#contract/verify/limits.ts'

/* Schemas of fields that several nouns share, with the sentences of their rules. Forms and server use the same ones. */

/** Number that may come as text, in a query or a form. `z.coerce` takes 0x18, 1e3 and an empty text, too. */
export const numeric = <T extends z.ZodType>(schema: T) =>
  z.preprocess((sent) => (typeof sent === 'string' ? wholeNumber(sent) : sent), schema)

/** Text of a field that is no free text. Its rules hold for the cleaned value. */
export const codeString = (...params: Parameters<typeof z.string>) => z.string(...params).overwrite(codeText)
/** The same for a text with dots: address, domain, e-mail. */
export const dottedString = (...params: Parameters<typeof z.string>) => z.string(...params).overwrite(dottedText)

export const page = numeric(z.int().positive().max(100_000)).prefault(1)
/** Epoch milliseconds, UTC; shown in Asia/Shanghai. */
export const time = z.int()
/** Time sent by a caller, in epoch milliseconds within `EPOCH_MS`. */
export const sentTime = z
  .int()
  .min(EPOCH_MS.first, '时间不正确，请重新填写')
  .max(EPOCH_MS.last, '时间不正确，请重新填写')
export const wireBoolean = z.union([z.literal(0), z.literal(1)])
/** 1: the member is also in networks outside the role, and the role may not change it. */
export const shared = wireBoolean
export const toWireBoolean = (value: unknown): 0 | 1 => (value ? 1 : 0)
/** 1: the call also turns off settings that use its object. Otherwise such a call is refused. */
export const confirmed = numeric(wireBoolean).optional()
export const lengthText = (name: string, max: number): string => `${name}不能超过${max}个字符`
export const empty = z.object({})
export const nothing = z.null()

/** Name or remark for people. Invisible characters are removed, except inside an emoji. */
export const displayText = z.string().overwrite(plainText)
export const SEARCH_TOO_LONG = lengthText('搜索内容', SEARCH_MAX)
export const search = displayText.max(SEARCH_MAX, SEARCH_TOO_LONG).default('')

/** Text of several lines. Invisible characters are removed, except inside an emoji; line breaks stay. */
export const prose = z.string().overwrite((text) =>
  visibleText(text.replace(/\r\n?/g, '\n'))
    .replace(/\p{Cs}|(?![\n\t])\p{Cc}/gu, '')
    .trim(),
)

/** Required free text. */
export const required = (name: string) =>
  z
    .string({ error: sentenceOf(name) })
    .trim()
    .min(1, `${name}不能为空`)
/** Required text that is no free text. */
export const requiredCode = (name: string) => codeString({ error: sentenceOf(name) }).min(1, `${name}不能为空`)

/** Sign-in name of any kind: account name, phone or e-mail. */
export const loginName = requiredCode('用户名').max(EMAIL_MAX, '用户名过长')
export const passwordCalled = (name: string) =>
  z.string().min(1, `${name}不能为空`).min(PASSWORD.min, '密码长度6-18位').max(PASSWORD.max, '密码长度6-18位')
export const password = passwordCalled('密码')
export const CODE_REQUIRED = '验证码不能为空'
export const captchaText = z
  .string()
  .overwrite(groupedCode)
  .min(1, CODE_REQUIRED)
  .length(CAPTCHA.length, `验证码的长度必须为${CAPTCHA.length}位`)
  .regex(/^[0-9a-zA-Z]+$/, charactersOf(/[0-9a-zA-Z]/, '验证码只能输入字母和数字'))
const CAPTCHA_GONE = '验证码已失效，请刷新后重试'
/** Id of a captcha, which the page sends. A call without one comes from an outdated page. */
export const uniqid = z.string(CAPTCHA_GONE).min(1, CAPTCHA_GONE).max(64, CAPTCHA_GONE)
/**
 * Proof of work for a captcha. After repeated failures a call with a captcha is refused with WORK_REQUIRED and
 * `data.difficulty`. The captcha stays valid. The caller repeats the call with a `nonce` for which SHA-256 of the UTF-8
 * text `${uniqid}.${nonce}` starts with `difficulty` zero bits.
 */
export const nonce = z.string().max(32).optional()
export const otpOf = (missing: string) =>
  z
    .string()
    .overwrite((typed) => otpText(typed, OTP.length))
    .min(1, missing)
    .length(OTP.length, `验证码长度必须为${OTP.length}位`)
    .regex(/^\d+$/, charactersOf(/\d/, '验证码只能输入数字'))
export const code = otpOf(CODE_REQUIRED)

export const areaCode = z
  .string()
  .overwrite((text) => dialCodeText(text) || DIAL_CODE_DEFAULT) // network 5
  .regex(/^[1-9]\d{0,3}$/, '请选择国家或地区')
  .default(DIAL_CODE_DEFAULT)

export const PHONE_REQUIRED = '手机号码不能为空'
export const PHONE_MISSING = '请输入手机号码'
export const PASSWORD_REQUIRED = '密码不能为空'
export const TICKET_NUMBER_REQUIRED = '缺少工单编号'
export const CONFIRM_REQUIRED = '确认密码不能为空'
export const REPEAT_REQUIRED = '重复密码不能为空'
export const REPEAT_DIFFERS = '2次密码输入不一致'
/** Refusal of a `reset_password` that differs from the new one. */
export const RESET_DIFFERS = { path: ['reset_password'], message: REPEAT_DIFFERS }

/** Requires a possible number. `withPhoneText` cleans it before. */
export function checkPhone({ area_code, phone }: { area_code: string; phone: string }, issues: z.RefinementCtx): void {
  const message = phone === '' ? PHONE_MISSING : phoneProblem(area_code, phone)
  if (message) issues.addIssue({ code: 'custom', path: ['phone'], message })
}

/**
 * Pattern of phones: a mainland number with or without dial code, or any number behind 00. Another person's phone is
 * refused as a user name, because its owner signs in with it.
 */
const phoneShaped = /^(?:0{0,2}86)?(1[3-9]\d{9})$|^00([1-9]\d+)$/

/** Message about a user name that is a phone other than the account's own ('+86 13800000000'); null for other names. */
export function usernameProblem(username: string, ownPhone: string | null): string | null {
  const [, mainland, dialled] = phoneShaped.exec(username) ?? []
  const digits = mainland ? DIAL_CODE_DEFAULT + mainland : dialled
  return digits && `+${digits}` !== ownPhone?.replace(' ', '') ? '用户名不能使用他人的手机号码，请更换' : null
}

/** Phone '+86 13800000000' of calls that send a code, from any spelling. */
export const internationalPhone = z
  .string()
  .overwrite(internationalText)
  .superRefine((text, issues) => {
    const [, dialCode = '', number = ''] = /^\+([1-9]\d{0,3}) (.*)$/.exec(text) ?? []
    const isMissing = /^(\+\d{1,4})?$/.test(text) // a dial code alone is no number
    const message = isMissing
      ? PHONE_REQUIRED
      : dialCode === ''
        ? '请输入正确的手机号码'
        : phoneProblem(dialCode, number)
    if (message) issues.addIssue({ code: 'custom', message })
  })

const ATOM = "[0-9a-zA-Z!#$%&'*+/=?^_`{|}~-]+"
const LABEL = '[0-9a-zA-Z](?:[0-9a-zA-Z-]{0,61}[0-9a-zA-Z])?'
/** Account 5, widened to dot-atoms and any number of labels (infra/docs/decisions.md): no quotes and no IP literals. */
const emailPattern = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?:[a-zA-Z]{2,63}|xn--${LABEL})$`)
export const email = dottedString()
  .min(1, '邮箱号不能为空')
  .max(EMAIL_MAX, lengthText('邮箱', EMAIL_MAX))
  .regex(emailPattern, '请输入正确的邮箱')

export const nickname = codeString()
  .min(1, '昵称不能为空')
  .regex(/^(?:[\p{Script=Han}a-zA-Z0-9]+(?:[·•‧・][\p{Script=Han}a-zA-Z0-9]+)*)?$/u, '昵称不能包含特殊字符')
  .min(NICKNAME.min, '昵称长度2-12字符，由中文,英文,数字组成')
  .max(NICKNAME.max, '昵称长度2-12字符，由中文,英文,数字组成')
export const username = codeString()
  .min(1, '用户名不能为空')
  .regex(/^[a-zA-Z0-9]*$/, '用户名不能包含特殊字符和中文')
  .min(USERNAME.min, '用户名长度6-18位，由数字和字母组成。用于登陆使用')
  .max(USERNAME.max, '用户名长度6-18位，由数字和字母组成。用于登陆使用')

export const note = displayText.max(NETWORK.noteMax, lengthText('备注', NETWORK.noteMax))
export const routerName = codeString().min(1, '请选择成员').max(64)
export const networkNumber = codeString().min(1, '缺少组网编号').max(32)
export const sign = codeString()
  .min(1, '请输入账号后缀')
  .regex(
    new RegExp(`^[a-zA-Z0-9]{${SOFTWARE.signMin},${SOFTWARE.signMax}}$`),
    charactersOf(/[a-zA-Z0-9]/, '账号后缀为6-12位字母或数字'),
  )
