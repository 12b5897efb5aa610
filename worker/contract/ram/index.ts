import * as z from 'zod'
import { write, read } from '#contract/kernel/endpoint.ts'
import {
  REPEAT_REQUIRED,
  RESET_DIFFERS,
  codeString,
  lengthText,
  nickname,
  numeric,
  password,
  passwordCalled,
  search,
  time,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { charactersOf, sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { list, rangedList } from '#contract/kernel/list.ts'
import { RAM } from './limits.ts'

/* Endpoints of sub-accounts (RAM). */

const id = numeric(z.int().positive())

export const passwordChange = z
  .object({
    old_password: passwordCalled('原密码'),
    password,
    reset_password: z.string().min(1, REPEAT_REQUIRED),
  })
  .refine((form) => form.password === form.reset_password, RESET_DIFFERS)

/** Fields that creating and editing a sub-account have in common (directory 5). */
const person = z.object({
  role_id: numeric(z.int('请选择角色').positive('请选择角色')),
  nickname: codeString().min(1, '请输入昵称').pipe(nickname),
})

export const ramUsername = codeString({ error: sentenceOf('账号') })
  .min(1, '请输入账号')
  .max(RAM.usernameMax, lengthText('账号', RAM.usernameMax))
  .regex(/^[a-zA-Z0-9_.]+$/, charactersOf(/[a-zA-Z0-9_.]/, '账号由字母、数字、下划线和点组成'))

export const ramForm = person.extend({
  username: ramUsername,
  password: z.string().min(1, '请输入密码').pipe(password),
})

/** Form of an existing sub-account. An empty password keeps the old one. */
export const ramEditForm = person.extend({ password: z.literal('').or(password).default('') })

const ramRow = z.object({
  id: z.int(),
  username: z.string(), // without the suffix
  nickname: z.string(),
  role_id: z.int(),
  role_name: z.string(),
  /** Status of the sub-account; 0: disabled. */
  status: wireBoolean,
  session_count: z.int(),
  create_time: time,
  /** Time of the last sign-in; null: none yet. */
  login_time: time.nullable(),
})

const logRow = z.object({
  module: z.string(), // first segment of the call
  module_name: z.string(),
  action: z.string(), // second segment
  action_name: z.string(), // kind of action
  message: z.string(),
  create_time: time,
})

const one = { input: z.object({ id }), example: { id: 1 } }
const ROWS = ['ram/lists', 'ram/info'] as const
const COUNTS = [...ROWS, 'ram/quantity', 'ram_role/lists'] as const

export const ramApi = {
  password: write('ram/password', 'ram', {
    summary: "Change a sub-account's own password; ends its sessions",
    input: passwordChange,
    done: 'changed',
    example: { old_password: 'Weilai26', password: 'Weilai27', reset_password: 'Weilai27' },
  }),
  domain: read('ram/domain', 'main', {
    summary: 'Suffix of sub-account names: name@suffix',
    output: z.object({ domain: z.string() }),
  }),
  quantity: read('ram/quantity', 'main', {
    summary: 'How many sub-accounts there are, and how many there may be',
    output: z.object({ count: z.int(), max: z.int() }),
  }),
  lists: read('ram/lists', 'main', {
    summary: 'Sub-accounts, newest first; searches account, nickname and role',
    ...list({ row: ramRow, filters: { search } }),
  }),
  info: read('ram/info', 'main', {
    summary: 'One sub-account',
    ...one,
    output: ramRow,
  }),
  create: write('ram/create', 'main', {
    summary: 'Add a sub-account',
    input: ramForm,
    output: z.object({ id: z.int() }),
    done: 'added',
    refreshes: COUNTS,
    example: { role_id: 1, nickname: '运维', username: 'ops', password: 'Weilai26' },
  }),
  edit: write('ram/edit', 'main', {
    summary:
      'Edit a sub-account. Another role counts from its next request on; a password replaces the one before and ends its sessions',
    input: ramEditForm.extend({ id }),
    done: 'changed',
    refreshes: COUNTS,
    example: { id: 1, role_id: 1, nickname: '运维' },
  }),
  delete: write('ram/delete', 'main', {
    summary: 'Delete a sub-account; ends its sessions',
    ...one,
    done: 'deleted',
    refreshes: COUNTS,
  }),
  enable: write('ram/enable', 'main', {
    summary: 'Let a disabled sub-account sign in again',
    ...one,
    done: 'set',
    refreshes: ROWS,
  }),
  disable: write('ram/disable', 'main', {
    summary: 'Disable a sub-account; ends its sessions',
    ...one,
    done: 'set',
    refreshes: ROWS,
  }),
  endSessions: write('ram/end_sessions', 'main', {
    summary: 'End all sessions of a sub-account',
    ...one,
    done: 'signedOut',
    refreshes: ROWS,
  }),
  log: read('ram/log', 'main', {
    summary: 'What a sub-account has done, newest first; the last 7 days unless a range is given',
    ...rangedList({ row: logRow, filters: { ram_id: id } }),
    example: { ram_id: 1 },
  }),
} as const
