import * as z from 'zod'
import { emailBinding, passwordEdit, phoneBinding, profile } from './forms.ts'
import { write, read } from '#contract/kernel/endpoint.ts'
import {
  CONFIRM_REQUIRED,
  REPEAT_DIFFERS,
  code,
  email,
  internationalPhone,
  nickname,
  password,
  sign,
  time,
  uniqid,
  username,
  usernameProblem,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { SERVICE_KINDS, SERVICE_STATES } from './services.ts'
import { list } from '#contract/kernel/list.ts'
import { session } from '#contract/login/sign-in.ts'
import { userInfo } from './user-info.ts'

/* Endpoints of the account: registration, profile, services, open sign-ins, password, contacts. */

const serviceRow = z.object({
  service_name: z.string(),
  quantity: z.int(),
  start_time: time,
  expired_time: time,
  kind: z.enum(SERVICE_KINDS),
  state: z.enum(SERVICE_STATES),
  days_left: z.int(), // a begun day counts; 0 once it is over
  /** Quota of all services of this kind that run now, for kinds that are counted over the account. */
  quota: z.object({ used: z.int(), total: z.int() }).nullable(),
  stops: z.string(), // consequence of its end, in words
})

/** Row of an open sign-in. Device and browser are in words. */
const signInRow = z.object({
  session_id: z.string(),
  username: z.string(),
  ram: wireBoolean,
  device: z.string(),
  browser: z.string(),
  ip: z.string(), // at sign-in, as place and host
  place: z.string(),
  host: z.string(),
  create_time: time,
  refresh_time: time, // last renewal of its token, twice an hour while the console is open
  refresh_ip: z.string(), // address of the last renewal, or else of the sign-in
  refresh_place: z.string(),
  current: wireBoolean,
})

const registrationCommon = {
  nickname,
  username,
  password,
  newPassword: z.string().min(1, CONFIRM_REQUIRED),
  code,
  uniqid,
}

/**
 * Registration of an account. `type` is the channel of the code; `verify` has a phone as '+86 13800000000'. `uniqid` is
 * that of the captcha of the code.
 */
export const registration = z
  .discriminatedUnion('type', [
    z.object({
      ...registrationCommon,
      type: z.literal('phone'),
      verify: internationalPhone,
    }),
    z.object({ ...registrationCommon, type: z.literal('email'), verify: email }),
  ])
  .refine((form) => form.password === form.newPassword, { path: ['newPassword'], message: REPEAT_DIFFERS })
  .superRefine(({ type, username: name, verify }, issues) => {
    const message = usernameProblem(name, type === 'phone' ? verify : null)
    if (message) issues.addIssue({ code: 'custom', path: ['username'], message })
  })

export const account = {
  register: write('account/register', 'public', {
    limit: 'code',
    summary: 'Register an account by phone or e-mail, and sign in to it',
    input: registration,
    output: session.extend({ trial: z.object({ seats: z.int(), days: z.int() }).nullable() }),
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
  info: read('account/info', 'session', {
    summary: 'Who is signed in, with permissions and unread count',
    output: userInfo,
  }),
  service: read('account/service', 'session', {
    reads: 'near',
    summary: 'Services bought, newest first, with their state and how much of each kind is in use',
    ...list({ row: serviceRow }),
  }),
  data: read('account/data', 'main', {
    summary: 'Profile of the account holder; empty where nothing was saved yet',
    output: z.object({
      account: z.string(),
      nickname: z.string(),
      birthday: z.string(),
      industry: z.string(),
      occupation: z.string(),
    }),
  }),
  editData: write('account/edit_data', 'main', {
    summary: 'Save the profile; `account` must be the own user name, which cannot be changed',
    input: profile,
    done: 'saved',
    refreshes: ['account/data', 'account/info'],
    example: { account: 'demo01', nickname: '启明', birthday: '1990-01-31', industry: 'I13', occupation: '工程师' },
  }),
  defaultPhone: write('account/default_phone', 'main', {
    summary: "Identity step: send a code to the account's own phone",
    done: 'sent',
  }),
  defaultEmail: write('account/default_email', 'main', {
    summary: "Identity step: send a code to the account's own e-mail",
    done: 'sent',
  }),
  editPassword: write('account/edit_password', 'main', {
    summary: 'New password after the identity step, which it uses up; ends all other sessions',
    input: passwordEdit,
    done: 'changed',
    refreshes: ['account/sessions'],
    example: { new_password: 'Weilai27', reset_password: 'Weilai27' },
  }),
  editPhone: write('account/edit_phone', 'main', {
    summary: 'Bind the phone to which `code` was sent (`verify_phone`), after the identity step or with `password`',
    input: phoneBinding,
    done: 'changed',
    refreshes: ['account/info', 'account/sessions'],
    example: { area_code: '86', phone: '13800000000', code: '123456' },
  }),
  editEmail: write('account/edit_email', 'main', {
    summary: 'Bind the e-mail to which `code` was sent (`verify_email`), after the identity step or with `password`',
    input: emailBinding,
    done: 'changed',
    refreshes: ['account/info', 'account/sessions'],
    example: { email: 'a@b.cn', code: '123456' },
  }),
  sessions: read('account/sessions', 'session', {
    summary: 'Open sign-ins of the caller, of the main account also those of its sub-accounts',
    ...list({ row: signInRow }),
  }),
  endSession: write('account/end_session', 'session', {
    summary: 'End one of them, with its sockets',
    input: z.object({ session_id: z.string().min(1, '请选择登录设备').max(64, '请选择登录设备') }),
    done: 'signedOut',
    refreshes: ['account/sessions'],
    example: { session_id: 'x' },
  }),
  endOtherSessions: write('account/end_other_sessions', 'session', {
    summary: "End all of the caller's own but this one",
    done: 'signedOut',
    refreshes: ['account/sessions'],
  }),
  editSign: write('account/edit_sign', 'main', {
    summary: 'Suffix of software members',
    input: z.object({ sign }),
    done: 'saved',
    refreshes: ['router/quantity', 'router/lists', 'router/info', 'router/member', 'network/info', 'network/member'],
    example: { sign: 'branch01' },
  }),
} as const
