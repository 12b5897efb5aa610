import * as z from 'zod'
import { AUTH_SOURCE_TYPES, authSourceId, sourceCode } from '#contract/auth-source/index.ts'
import { linkEndpoint } from '#contract/device/document-fields.ts'
import { write, read } from '#contract/kernel/endpoint.ts'
import {
  PASSWORD_REQUIRED,
  areaCode,
  checkPhone,
  code,
  displayText,
  networkNumber,
  nonce,
  requiredCode,
  routerName,
  uniqid,
  wireBoolean,
} from '#contract/kernel/fields.ts'
import { charactersOf, sentenceOf } from '#contract/kernel/input/input-sentence.ts'
import { withPhoneText } from '#contract/kernel/input/phone.ts'
import { CLIENT } from './limits.ts'
import { clientProfiles } from './profiles.ts'
import { CLIENT_SYSTEMS } from './systems.ts'
import { MEMBER_FILE } from '#contract/router/limits.ts'

/* Endpoints of the client application, in which software members sign in. No console calls them. */

/** Login name `name@suffix`. Case and character width do not matter. */
const memberLogin = requiredCode('账号')
  .toLowerCase()
  .regex(
    new RegExp(`^[a-z0-9_.-]{1,${MEMBER_FILE.nameMax}}@[a-z0-9]{1,32}$`),
    charactersOf(/[a-z0-9_.@-]/, '账号格式不正确，请填写完整账号（含@后缀）'),
  )

/** Password of a member. That of an imported member follows the rules of its directory. */
const memberPassword = z
  .string({ error: sentenceOf('密码') })
  .min(1, PASSWORD_REQUIRED)
  .max(CLIENT.passwordMax, '密码过长')

const systemText = displayText.max(CLIENT.systemMax).default('')
/** Data of the client about itself, shown in the records of sign-ins. */
const clientDeviceFields = {
  os: z.enum(CLIENT_SYSTEMS).or(z.literal('')).default(''),
  version: displayText.max(CLIENT.versionMax).default(''),
  sys_brand: systemText,
  sys_model: systemText,
  sys_version: systemText,
  /** Capabilities, as in a device's hello: `ciphers:sm`. Null if the application sends none. */
  capabilities: z.array(z.string().max(CLIENT.capabilityMax)).max(CLIENT.capabilitiesMax).nullable().default(null),
}
export const clientDevice = z.object(clientDeviceFields)

/** Device of a sign-in in a browser, where a page shows its name to the person. */
const browserDeviceFields = { ...clientDeviceFields, device_name: systemText }
export const browserDevice = z.object(browserDeviceFields)
export type BrowserDevice = z.output<typeof browserDevice>

const phone = { area_code: areaCode, phone: z.string().default('') }

/** Session with its tokens: a native application has no cookies and keeps the refresh token itself. */
const clientSession = z.object({
  /** Present name. After a change of the suffix members may still sign in with the old one. */
  router_name: z.string(),
  access_token: z.string(),
  token_expire_time: z.int(), // seconds from now
  refresh_token: z.string(),
})
/** Refresh token of an application. A page of this service sends none: its cookie has it. */
const refreshToken = z.object({ refresh_token: z.string().min(1, '登录凭证不能为空').max(512).optional() })
/** `cookie`: the refresh token goes into a cookie that scripts cannot read, and `refresh_token` is ''. */
const keep = z.enum(['cookie', '']).default('')

/** Server that the client may dial. More kinds may follow. */
const dialServer = z.object({
  kind: z.enum(['center', 'pop']),
  router_name: z.string(),
  proto: z.literal('udp'),
  remotes: z.array(linkEndpoint), // in this order; empty: not known yet
  fixed: wireBoolean.default(1), // 0: the address that its device has at present, which may change
  segment: z.string(),
  gateway: z.string(), // address of the server inside the network
  ip: z.string(), // address of the member
  /** Segments behind the server, which announces them; in the answer to a dial those of other members are missing. */
  routes: z.array(z.string()),
})
const dialDocument = z.object({
  mode: z.union([z.literal(1), z.literal(2), z.literal(3)]), // network 2: 1 default, 2 prefer centre, 3 prefer POP
  ciphers: z.enum(['default', 'sm']),
  dns: z.array(z.string()),
  servers: z.array(dialServer), // the preferred first
})
export type DialDocument = z.infer<typeof dialDocument>

const profileNetwork = z.object({
  network_number: z.string(),
  network_name: z.string(),
  network_status: z.int(),
  msg: z.string(), // reason for which dialling fails or will soon fail; empty for none
  dial: dialDocument.nullable(), // null: dialling is not possible
})

const GONE = '登录请求已失效，请在客户端重新登录'
const base64url = (length: number) => new RegExp(`^[A-Za-z0-9_-]{${length}}$`)
const id = authSourceId.optional()
export const clientApi = {
  login: write('client/login', 'public', {
    limit: 'login',
    summary: 'Sign in as a software member: name@suffix and password',
    /** `challenge` (verify/challenge with purpose client_login) and its `nonce` after WORK_REQUIRED. */
    input: z.object({
      username: memberLogin,
      password: memberPassword,
      challenge: z.string().max(256).optional(),
      nonce,
      keep,
      ...clientDeviceFields,
    }),
    output: clientSession,
    example: { username: 'nobody@company01', password: 'Weilai26', os: 'linux', version: '1.0.0' },
  }),
  phone: write('client/phone', 'public', {
    limit: 'code',
    summary: 'Send a sign-in code to the phone of a software member; the answer is the same for every phone',
    /** Work is always required: `challenge` (verify/challenge with purpose client_login) and its `nonce`. */
    input: z
      .object({ ...phone, challenge: z.string().max(256).default(''), nonce })
      .overwrite(withPhoneText)
      .superRefine(checkPhone),
    output: z.object({ uniqid }),
    done: 'sent',
    example: { area_code: '86', phone: '13800000000' },
  }),
  phoneLogin: write('client/phone_login', 'public', {
    limit: 'login',
    summary: 'Sign in by that code; of a phone that several members have, `choices` names them until one is given',
    input: z
      .object({ uniqid, ...phone, code, router_name: routerName.optional(), keep, ...clientDeviceFields })
      .overwrite(withPhoneText)
      .superRefine(checkPhone),
    output: z.object({
      session: clientSession.nullable(),
      choices: z.array(z.object({ router_name: z.string(), note: z.string(), status: wireBoolean })),
    }),
    example: { uniqid: 'x', area_code: '86', phone: '13800000000', code: '123456' },
  }),
  refresh: write('client/refresh', 'public', {
    summary: 'New access token for the refresh token, which rotates; without one for that of the cookie',
    input: refreshToken,
    output: clientSession,
    example: { refresh_token: 'x' },
  }),
  profile: read('client/profile', 'client', {
    summary: 'The member that is signed in, its networks, and what each is dialled by',
    output: z.object({
      router_name: z.string(),
      note: z.string(),
      phone: z.string(), // masked
      networks: z.array(profileNetwork),
    }),
  }),
  dial: read('client/dial', 'client', {
    summary:
      'What the member dials a network with: servers, the keys that they prove themselves by, and a token as password',
    input: z.object({ network_number: networkNumber }),
    output: dialDocument.extend({
      router_name: z.string(), // user name of the dial
      token: z.string(),
      token_expire_time: z.int(), // seconds from now
      ca: z.string(), // PEM of the authority that signed the servers' certificates
      control_key: z.string(), // hex, 2048 bits
    }),
    example: { network_number: 'NW12345678' },
  }),
  profiles: clientProfiles.profiles,
  createProfile: clientProfiles.createProfile,
  profileLink: clientProfiles.profileLink,
  revokeProfile: clientProfiles.revokeProfile,
  logout: write('client/logout', 'public', {
    summary: 'End the session of the refresh token, or else of the cookie',
    input: refreshToken,
    example: { refresh_token: 'x' },
  }),
  // Sign-in by an auth source of the account, in the browser; the client application polls for the session.
  authSource: read('client/auth_source', 'public', {
    limit: 'login',
    summary: 'The enabled auth sources of the account that has this ID',
    input: z.object({ code: sourceCode }),
    output: z.array(z.object({ id: z.int(), type: z.enum(AUTH_SOURCE_TYPES), name: z.string() })),
    example: { code: 'K7Q2-9XTM' },
  }),
  authStart: write('client/auth/start', 'public', {
    limit: 'login',
    summary: 'Begin a sign-in: the address to open in a browser, the code to show beside it, the request to poll for',
    /**
     * `challenge` is base64url of SHA-256 of the verifier (RFC 7636, S256). Several sources of one type need `id`.
     * `device_name` is the name that the person knows the device by; the page asks them to confirm it.
     */
    input: z.object({
      source_code: sourceCode,
      type: z.enum(AUTH_SOURCE_TYPES, '请选择类型'),
      id,
      challenge: z.string({ error: sentenceOf('验证信息') }).regex(base64url(43), '验证信息不正确'),
      ...browserDeviceFields,
    }),
    output: z.object({
      url: z.string(),
      request_id: z.string(),
      confirm_code: z.string(), // six digits, shown by the client: the page shows the same
      expires_in: z.int(), // seconds
      interval: z.int(), // seconds between two polls
    }),
    example: {
      source_code: 'K7Q2-9XTM',
      type: 'wechat',
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      os: 'linux',
      version: '1.0.0',
      device_name: '张伟的笔记本',
    },
  }),
  authToken: write('client/auth/token', 'public', {
    limit: 'poll',
    summary: 'The session once the person has signed in; null while that is awaited. A refusal is final',
    input: z.object({
      request_id: z
        .string({ error: sentenceOf('登录请求') })
        .min(1, GONE)
        .max(64, GONE),
      verifier: z.string({ error: sentenceOf('验证信息') }).regex(/^[A-Za-z0-9._~-]{43,128}$/, '验证信息不正确'),
      keep,
    }),
    output: z.object({ status: z.enum(['pending', 'done']), session: clientSession.nullable() }),
    example: { request_id: 'x', verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  }),
} as const
