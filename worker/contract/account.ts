import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import {
  code,
  email,
  empty,
  wireBoolean,
  nickname,
  nothing,
  password,
  phoneProblem,
  sign,
  time,
  uniqid,
  username,
  usernameProblem,
} from './fields.ts'
import { SERVICE_KINDS, SERVICE_STATES } from './limits.ts'
import { list } from './list.ts'
import { PERMISSIONS } from './permissions.ts'

export const userInfo = z.object({
  username: z.string(),
  nickname: z.string(),
  birthday: z.string(),
  industry: z.string(),
  occupation: z.string(),
  user_phone: z.string(), // '+86 138****0000': masked
  user_email: z.string(), // masked
  message_count: z.int(), // unread
  ram: wireBoolean,
  sign: z.string(),
  config: z.object({ software_auth_source: wireBoolean }),
  auth: z.object({ quagga: wireBoolean, quagga_advanced: wireBoolean, default_route: wireBoolean }),
  /** What the menu and the buttons ask (contract/permissions.ts). */
  flags: z.array(z.enum(PERMISSIONS)),
  /** Network numbers a sub-account is limited to, or null. */
  networks: z.array(z.string()).nullable(),
})
export type UserInfo = z.infer<typeof userInfo>

const serviceRow = z.object({
  service_name: z.string(),
  quantity: z.int(),
  start_time: time,
  expired_time: time,
  kind: z.enum(SERVICE_KINDS),
  state: z.enum(SERVICE_STATES),
  days_left: z.int(), // a begun day counts; 0 once it is over
  /** Of all services of its kind that run now, for kinds that are counted over the account. */
  quota: z.object({ used: z.int(), total: z.int() }).nullable(),
  stops: z.string(), // what stops when it ends
})

const samePasswords = (form: { password: string; newPassword: string }) => form.password === form.newPassword
const registrationCommon = {
  nickname,
  username,
  password,
  newPassword: z.string().min(1, '确认密码不能为空'),
  code,
  uniqid,
}
const mismatch = { path: ['newPassword'], message: '2次密码输入不一致' }

/**
 * `type` says where the code went; the phone is sent as '+86 13800000000' in `verify`. `uniqid` is that of the captcha
 * with which the code was asked for.
 */
export const registration = z
  .discriminatedUnion('type', [
    z.object({
      ...registrationCommon,
      type: z.literal('phone'),
      verify: z
        .string()
        .trim()
        .superRefine((text, issues) => {
          const [, dialCode = '86', number = text] = /^\+([1-9]\d{0,3}) (.*)$/.exec(text) ?? []
          const message = number === '' ? '手机号码不能为空' : phoneProblem(dialCode, number)
          if (message) issues.addIssue({ code: 'custom', message })
        }),
    }),
    z.object({ ...registrationCommon, type: z.literal('email'), verify: email }),
  ])
  .refine(samePasswords, mismatch)
  .superRefine(({ type, username: name, verify }, issues) => {
    const message = usernameProblem(name, type === 'phone' ? verify.replace(/^(?!\+)/, '+86 ') : null)
    if (message) issues.addIssue({ code: 'custom', path: ['username'], message })
  })

export const accountApi = {
  register: endpoint({
    method: 'POST',
    path: 'account/register',
    access: 'public',
    summary: 'Register an account by phone or e-mail',
    input: registration,
    output: nothing,
    done: 'registered',
    example: {
      nickname: '测试',
      username: 'abcdef1',
      password: 'Weilai26',
      newPassword: 'Weilai26',
      code: '123456',
      uniqid: 'x',
      type: 'email',
      verify: 'a@b.cn',
    },
  }),
  info: endpoint({
    method: 'GET',
    path: 'account/info',
    access: 'session',
    summary: 'Who is signed in, with permissions and unread count',
    input: empty,
    output: userInfo,
    example: {},
  }),
  service: endpoint({
    method: 'GET',
    path: 'account/service',
    access: 'session',
    summary: 'Services bought, newest first, with their state and how much of each kind is in use',
    ...list({ row: serviceRow }),
    example: {},
  }),
  editSign: endpoint({
    method: 'POST',
    path: 'account/edit_sign',
    access: 'main',
    summary: 'Suffix of software members',
    input: z.object({ sign }),
    output: nothing,
    done: 'saved',
    refreshes: ['router/quantity', 'router/lists', 'router/info', 'router/member', 'network/info', 'network/member'],
    example: { sign: 'branch01' },
  }),
} as const
