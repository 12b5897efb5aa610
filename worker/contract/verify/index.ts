import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import {
  PHONE_REQUIRED,
  REPEAT_REQUIRED,
  RESET_DIFFERS,
  captchaText,
  code,
  email,
  internationalPhone,
  loginName,
  nonce,
  otpOf,
  password,
  uniqid,
} from '#contract/kernel/fields.ts'
import type { Access } from '#contract/kernel/permissions.ts'

/* Endpoints of verification: captchas, codes by e-mail and SMS, password recovery. */

/** Purposes of a captcha. A captcha for one purpose is refused for another. */
export const CAPTCHA_PURPOSES = ['login', 'find_password', 'register'] as const
/** Purposes of a challenge: a captcha, or the sign-in of a software member. */
const CHALLENGE_PURPOSES = [...CAPTCHA_PURPOSES, 'client_login'] as const
/** Purposes of a code sent by e-mail or SMS. */
export const CODE_PURPOSES = [
  'register',
  'verify_email',
  'verify_phone',
  'app_change_phone',
  'find_password',
  'client_login',
] as const
export type CodePurpose = (typeof CODE_PURPOSES)[number]

const sendType = z.enum(['phone', 'email'])

/** Ways of a recovery, the same for every name. Only a caller with the code learns the bound contacts. */
export const RECOVERY_WAYS = { phone: '绑定的手机', email: '绑定的邮箱' } as const

const CODE_ACCESS = {
  verify_phone: ['main'],
  verify_email: ['main'],
  app_change_phone: ['router:create', 'router:edit'],
} as const satisfies Readonly<Partial<Record<(typeof CODE_PURPOSES)[number], readonly Access[]>>>

const target = <T extends z.ZodRawShape>(rest: T) =>
  z.discriminatedUnion('send_type', [
    z.object({ ...rest, send_type: z.literal('phone'), send_value: internationalPhone }),
    z.object({ ...rest, send_type: z.literal('email'), send_value: email }),
  ])

/** Purpose of a code to a contact of the account: the identity step, and the binding of a new contact. */
export const OWN_PURPOSE = { phone: 'verify_phone', email: 'verify_email' } as const

/** Recipient that a signed-in person binds, of the kind of its purpose. */
const binding = z.discriminatedUnion('send_type', [
  z.object({
    send_type: z.literal('phone'),
    send_value: internationalPhone,
    verify_type: z.enum(['verify_phone', 'app_change_phone']),
  }),
  z.object({ send_type: z.literal('email'), send_value: email, verify_type: z.literal('verify_email') }),
])

/** Recipient with its code. Without a recipient it is the phone or e-mail of the account: the identity step. */
const verification = z
  .discriminatedUnion('send_type', [
    z.object({
      code,
      send_type: z.literal('phone'),
      send_value: internationalPhone.optional(),
      verify_type: z.enum(['verify_phone', 'app_change_phone']),
    }),
    z.object({
      code,
      send_type: z.literal('email'),
      send_value: email.optional(),
      verify_type: z.literal('verify_email'),
    }),
  ])
  .superRefine(({ send_value, verify_type }, issues) => {
    if (send_value !== undefined || verify_type !== 'app_change_phone') return
    issues.addIssue({ code: 'custom', path: ['send_value'], message: PHONE_REQUIRED })
  })

const accessOfCode = ({ verify_type }: { readonly verify_type: keyof typeof CODE_ACCESS }) => CODE_ACCESS[verify_type]

export const verifyApi = {
  code: read('verify/code', 'public', {
    limit: 'captcha',
    summary: 'Draw a captcha: a PNG as data URL, good once for five minutes',
    input: z.object({ purpose: z.enum(CAPTCHA_PURPOSES).default('login') }),
    /** `difficulty`: bits of the work that a call with this captcha probably needs (fields.ts `nonce`); 0 for none. */
    output: z.object({ content: z.string(), uniqid, difficulty: z.int() }),
  }),
  /** A `nonce` solves it if SHA-256 of the UTF-8 text `${challenge}.${nonce}` starts with `difficulty` zero bits. */
  challenge: read('verify/challenge', 'public', {
    summary: 'Proof of work for people who cannot read the captcha',
    input: z.object({ purpose: z.enum(CHALLENGE_PURPOSES).default('login') }),
    output: z.object({ challenge: z.string(), difficulty: z.int() }),
  }),
  proof: write('verify/proof', 'public', {
    summary: 'Exchange a solved challenge for a captcha and its text',
    input: z.object({ challenge: z.string().max(512), nonce: z.string().max(32) }),
    output: z.object({ uniqid, code: captchaText }),
    example: { challenge: 'x', nonce: '1' },
  }),
  register: write('verify/register', 'public', {
    limit: 'code',
    summary: 'Send the code of a registration',
    input: target({ img_code: captchaText, uniqid, nonce }),
    done: 'sent',
    example: { send_type: 'email', send_value: 'a@b.cn', img_code: 'ABCD', uniqid: 'x' },
  }),
  findPassword: write('verify/find_password', 'public', {
    limit: 'code',
    summary: 'Forgotten password 1: opens a recovery; the same answer for every name',
    input: z.object({ username: loginName, img_code: captchaText, uniqid, nonce }),
    output: z.object({ uniqid, phone: z.string(), email: z.string() }),
    example: { username: 'nobody', img_code: 'ABCD', uniqid: 'x' },
  }),
  findPasswordCode: write('verify/find_password_code', 'public', {
    limit: 'code',
    summary: 'Forgotten password 2: send the code',
    input: z.object({ uniqid, send_type: sendType }),
    done: 'sent',
    example: { uniqid: 'x', send_type: 'phone' },
  }),
  authentication: write('verify/authentication', 'public', {
    limit: 'code',
    summary: 'Forgotten password 2: check the code; answers the masked phone and e-mail',
    input: z.discriminatedUnion('send_type', [
      z.object({ uniqid, send_type: z.literal('phone'), code: otpOf('手机验证码不能为空') }), // account 5
      z.object({ uniqid, send_type: z.literal('email'), code: otpOf('邮箱验证码不能为空') }),
    ]),
    output: z.object({ phone: z.string(), email: z.string() }),
    example: { uniqid: 'x', send_type: 'phone', code: '123456' },
  }),
  resetPassword: write('verify/reset_password', 'public', {
    limit: 'code',
    summary: 'Forgotten password 3: new password; ends all sessions',
    input: z
      .object({ password, reset_password: z.string().min(1, REPEAT_REQUIRED), uniqid })
      .refine((form) => form.password === form.reset_password, RESET_DIFFERS),
    done: 'changed',
    example: { uniqid: 'x', password: 'Weilai26', reset_password: 'Weilai26' },
  }),
  sendCode: write('verify/send_code', 'session', {
    accessOf: accessOfCode,
    summary: 'Send a code to a phone or e-mail that is to be bound',
    input: binding,
    done: 'sent',
    example: { send_type: 'email', send_value: 'a@b.cn', verify_type: 'verify_email' },
  }),
  verify: write('verify/verify', 'session', {
    accessOf: accessOfCode,
    summary: 'Check such a code without using it up; without send_value, the identity step, which uses it up',
    input: verification,
    example: { send_type: 'email', send_value: 'a@b.cn', verify_type: 'verify_email', code: '123456' },
  }),
} as const
