import * as z from 'zod'
import { DOMAIN_BAD, DOMAIN_NAME_OR_NONE } from '#contract/ldap/domain-name.ts'
import { AUTH_SOURCE, SOURCE_CODE } from './limits.ts'
import { read, write } from '#contract/kernel/endpoint.ts'
import {
  codeString,
  displayText,
  dottedString,
  lengthText,
  numeric,
  time,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { charactersOf, sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { groupedCode } from '#contract/kernel/input/typed-text.ts'

/* Endpoints and forms of auth sources: sign-in by WeCom, Feishu or DingTalk (directory 5, 6). */

/** Vendors for the sign-in of a client (directory 6). */
export const AUTH_SOURCE_TYPES = ['wechat', 'feishu', 'dingtalk'] as const
export type AuthSourceType = (typeof AUTH_SOURCE_TYPES)[number]

export const authSourceId = numeric(z.int('请选择认证源').positive('请选择认证源'))
const EMPTY = '不能为空' // directory 5
const WRONG_FILE = '校验文件不正确，请上传企业微信提供的原文件'
/** Value from the console of a vendor. */
const copied = (name: string, max: number, pattern: RegExp, wrong: Parameters<z.ZodString['regex']>[1]) =>
  codeString({ error: sentenceOf(name) })
    .max(max, lengthText(name, max))
    .regex(pattern, wrong)
    .default('')
const identifier = (name: string) => copied(name, AUTH_SOURCE.idMax, /^[\w-]*$/, charactersOf(/[\w-]/, `${name}不正确`))

const fields = {
  type: z.enum(AUTH_SOURCE_TYPES, '请选择类型'),
  name: z
    .string('请输入认证源名称')
    .pipe(
      displayText.min(1, '请输入认证源名称').max(AUTH_SOURCE.nameMax, lengthText('认证源名称', AUTH_SOURCE.nameMax)),
    ),
  /** wechat: CorpID; feishu: App ID; dingtalk: AppKey (Client ID). */
  app_id: identifier('企业ID或应用ID'),
  app_secret: copied('AppSecret', AUTH_SOURCE.secretMax, /^[\x21-\x7e]*$/, 'AppSecret不正确'),
  /** Id of the application, wechat only. */
  agent_id: z.preprocess(
    (sent) => (typeof sent === 'number' ? String(sent) : sent),
    copied('应用ID', AUTH_SOURCE.agentIdMax, /^\d*$/, charactersOf(/\d/, '应用ID只能输入数字')),
  ),
  /** Id of the company, dingtalk only. */
  corp_id: identifier('企业ID'),
  /** Callback domain of the customer, wechat only; empty for our domain. */
  auth_domain: dottedString({ error: sentenceOf('回调域名') })
    .toLowerCase()
    .max(AUTH_SOURCE.domainMax, DOMAIN_BAD)
    .regex(DOMAIN_NAME_OR_NONE, DOMAIN_BAD)
    .default(''),
  /** Name of WeCom's verification file of that domain, `WW_verify_….txt`, and its text. */
  file_name: copied('校验文件', AUTH_SOURCE.fileNameMax, /^[\w.-]*$/, WRONG_FILE),
  file_content: copied('校验文件', AUTH_SOURCE.fileMax, /^[A-Za-z0-9]*$/, WRONG_FILE),
}

type Typed = Pick<z.output<z.ZodObject<typeof fields>>, 'type' | 'app_id' | 'agent_id' | 'corp_id'>

/** Required fields of each vendor (directory 5). */
function checkRequired({ type, app_id, agent_id, corp_id }: Typed, issues: z.RefinementCtx): void {
  const add = (field: keyof Typed, message: string) => issues.addIssue({ code: 'custom', path: [field], message })
  if (app_id === '') add('app_id', EMPTY)
  if (type === 'dingtalk' && corp_id === '') add('corp_id', EMPTY)
  if (type === 'wechat' && agent_id === '') add('agent_id', '请输入应用ID')
}

export const authSourceForm = z.object(fields).superRefine((form, issues) => {
  checkRequired(form, issues)
  if (form.app_secret === '') issues.addIssue({ code: 'custom', path: ['app_secret'], message: '请输入AppSecret' })
})
/** Form of an existing source. An empty `app_secret` keeps the stored one if no other credential changes. */
export const authSourceKeptForm = z.object(fields).superRefine(checkRequired)
const authSourceEditForm = z.object({ ...fields, id: authSourceId }).superRefine(checkRequired)
export type AuthSourceForm = z.output<typeof authSourceForm>

/** Values that an administrator copies into the vendor's console. */
const place = z.object({
  /** Source addresses of our calls; '' if they are not fixed. */
  white_ip: z.string(),
  /** Sentence about a missing `white_ip`; '' if it is set. */
  notice: z.string(),
  auth_domain: z.string(),
  redirect_uri: z.string(),
})

const source = z.object({
  id: z.int(),
  type: z.enum(AUTH_SOURCE_TYPES),
  name: z.string(),
  app_id: z.string(),
  agent_id: z.string(),
  corp_id: z.string(),
  ...place.shape,
  /** 1: `auth_domain` belongs to the customer. */
  own_domain: wireBoolean,
  file_name: z.string(),
  status: wireBoolean,
  create_time: time,
  update_time: time,
})
export type AuthSourceRow = z.infer<typeof source>

const one = { input: z.object({ id: authSourceId }), example: { id: 1 } }
const READS = ['auth_source/lists', 'auth_source/info', 'auth_source/code'] as const

/** Source ID as `K7Q2-9XTM`. Case and dash do not matter; O, I and L are read as digits, as in Crockford's alphabet. */
export const sourceCode = z
  .string({ error: sentenceOf('认证源ID') })
  .overwrite((text) => groupedCode(text).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1'))
  .min(1, '认证源ID不能为空')
  .max(SOURCE_CODE.length, '认证源ID不正确')
  .regex(
    new RegExp(`^[${SOURCE_CODE.alphabet}]{${SOURCE_CODE.length}}$`),
    charactersOf(new RegExp(`[${SOURCE_CODE.alphabet}]`), '认证源ID不正确'),
  )

const EXAMPLE_FORM = {
  type: 'wechat',
  name: '企业微信',
  app_id: 'ww0000000000000000',
  app_secret: 'example-secret',
  agent_id: '1000002',
} as const

export const authSourceApi = {
  code: read('auth_source/code', 'main', {
    summary: "The account's auth source ID, made at first use, and what each vendor's console needs of us",
    output: z.object({
      code: z.string(), // K7Q2-9XTM
      /** Address of the downloads with this ID in their names. */
      page: z.string(),
      config: z.object({
        type: z.array(z.enum(AUTH_SOURCE_TYPES)),
        default: z.object({ wechat: place, feishu: place, dingtalk: place }),
      }),
    }),
  }),
  lists: read('auth_source/lists', 'main', {
    summary: 'All auth sources of the account, oldest first',
    output: z.array(source),
    extra: { count: z.int(), max: z.int() },
  }),
  info: read('auth_source/info', 'main', {
    summary: 'One auth source, without its secret',
    ...one,
    output: source,
  }),
  create: write('auth_source/create', 'main', {
    summary: 'Add an auth source whose credentials the vendor accepts',
    input: authSourceForm,
    output: z.object({ id: z.int() }),
    extra: { file_name: z.string().optional() },
    done: 'added',
    refreshes: READS,
    example: EXAMPLE_FORM,
  }),
  edit: write('auth_source/edit', 'main', {
    summary:
      'Edit an auth source; its type stays. Another application or organisation ends the sessions opened through it',
    input: authSourceEditForm,
    extra: { file_name: z.string().optional() },
    done: 'changed',
    refreshes: READS,
    example: { ...EXAMPLE_FORM, id: 1 },
  }),
  enable: write('auth_source/enable', 'main', {
    summary: 'Let members sign in through an auth source',
    ...one,
    done: 'started',
    refreshes: READS,
  }),
  disable: write('auth_source/disable', 'main', {
    summary: 'Nobody signs in through the auth source any more, and who did is signed out',
    ...one,
    done: 'closed',
    refreshes: READS,
  }),
  delete: write('auth_source/delete', 'main', {
    summary: 'Delete an auth source; who signed in through it is signed out',
    ...one,
    done: 'deleted',
    refreshes: READS,
  }),
} as const
