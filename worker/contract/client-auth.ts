import * as z from 'zod'
import { AUTH_SOURCE_TYPES, authSourceId, sourceCode } from './auth-source.ts'
import { clientDeviceFields, clientSession } from './client.ts'
import { endpoint } from './endpoint.ts'
import { sentenceOf } from './input-sentence.ts'

const GONE = '登录请求已失效，请在客户端重新登录'
const base64url = (length: number) => new RegExp(`^[A-Za-z0-9_-]{${length}}$`)
const id = authSourceId.optional()

/** Sign-in of a software member by an auth source of its account, in the browser; the client application polls for the session. */
export const clientAuthApi = {
  sources: endpoint({
    method: 'GET',
    path: 'client/auth_source',
    access: 'public',
    summary: 'The enabled auth sources of the account that has this ID',
    input: z.object({ code: sourceCode }),
    output: z.array(z.object({ id: z.int(), type: z.enum(AUTH_SOURCE_TYPES), name: z.string() })),
    example: { code: 'K7Q2-9XTM' },
  }),
  start: endpoint({
    method: 'POST',
    path: 'client/auth/start',
    access: 'public',
    summary: 'Begin a sign-in: the address to open in a browser, and the request to poll for',
    /** `challenge`: base64url of SHA-256 of the verifier (RFC 7636, S256). `id` where the account has several sources of the type. */
    input: z.object({
      source_code: sourceCode,
      type: z.enum(AUTH_SOURCE_TYPES, '请选择类型'),
      id,
      challenge: z.string({ error: sentenceOf('验证信息') }).regex(base64url(43), '验证信息不正确'),
      ...clientDeviceFields,
    }),
    output: z.object({
      url: z.string(),
      request_id: z.string(),
      expires_in: z.int(), // seconds
      interval: z.int(), // seconds between two polls
    }),
    example: {
      source_code: 'K7Q2-9XTM',
      type: 'wechat',
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      os: 'linux',
      version: '1.0.0',
    },
  }),
  token: endpoint({
    method: 'POST',
    path: 'client/auth/token',
    access: 'public',
    summary: 'The session once the person has signed in; null while that is awaited. A refusal is final',
    input: z.object({
      request_id: z
        .string({ error: sentenceOf('登录请求') })
        .min(1, GONE)
        .max(64, GONE),
      verifier: z.string({ error: sentenceOf('验证信息') }).regex(/^[A-Za-z0-9._~-]{43,128}$/, '验证信息不正确'),
    }),
    output: z.object({ status: z.enum(['pending', 'done']), session: clientSession.nullable() }),
    example: { request_id: 'x', verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' },
  }),
} as const
