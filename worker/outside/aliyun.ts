import * as z from 'zod'
import { PROVIDER } from '#contract/kernel/limits.ts'
import { hmacSha256, randomHex, sha256, toHex } from '#security/secrets.ts'
import { DeliveryError, type FaultOf, misconfigured, toDeliveryError } from './delivery-error.ts'
import { type Provider, signedHost } from './outbound-url.ts'
import type { Outbound } from './outbound.ts'

/* Signed calls of the API of Alibaba Cloud. */

const reply = z.object({
  Code: z.string().optional(),
  Message: z.string().optional(),
  RequestId: z.string().optional(),
})

/** Error codes of one recipient: a number or mailbox that is wrong, blocked or got too many messages. */
const OF_RECIPIENT =
  /^(isv\.(MOBILE_NUMBER_ILLEGAL|BUSINESS_LIMIT_CONTROL|BLACK_?LIST|PHONE_NUMBER_ILLEGAL|MOBILE_COUNT_OVER_LIMIT|DOMESTIC_NUMBER_NOT_SUPPORTED)|InvalidToAddress|InvalidReceiverName)/
const RETRYABLE = /^(isp\.|Throttling|ServiceUnavailable|InternalError|isv\.BUSINESS_LIMIT_CONTROL)/

/** Makes one signed call. Its body tells success: an HTTP status alone proves nothing. */
export async function callAliyun(
  { env, outbound }: { readonly env: Env; readonly outbound: Outbound },
  provider: Provider & ('ALIYUN_SMS' | 'DIRECTMAIL'),
  call: Pick<AliyunCall, 'action' | 'version' | 'query' | 'form'>,
): Promise<void> {
  const { ALIYUN_ACCESS_KEY_ID: id, ALIYUN_ACCESS_KEY_SECRET: secret } = env
  if (!id || !secret) return misconfigured('ALIYUN_ACCESS_KEY_ID and ALIYUN_ACCESS_KEY_SECRET are not set')
  const date = `${new Date().toISOString().slice(0, 19)}Z`
  const terms = { ...call, host: signedHost(env, provider), date, nonce: randomHex(16) }
  const { path, ...signed } = await signAliyun({ id, secret }, terms)
  const { code, words, isOk } = await toDeliveryError(async () => {
    const request = { method: 'POST', ...signed, timeoutMs: PROVIDER.timeoutMs } as const
    const answer = await outbound.toProvider(provider, path, request)
    const { Code, Message, RequestId } = reply.parse(answer.json())
    // DirectMail answers a success without a code, as the other actions do.
    const isOk = Code === 'OK' || (Code === undefined && RequestId !== undefined && answer.status === 200)
    return { code: Code ?? String(answer.status), words: Message ?? '', isOk }
  })
  if (isOk) return
  const of: FaultOf = OF_RECIPIENT.test(code) ? 'recipient' : 'provider'
  throw new DeliveryError({ of, isRetryable: RETRYABLE.test(code), code, words }, [id, secret])
}

/** Signature version 3 of Alibaba Cloud's API, RPC style. */
const ALGORITHM = 'ACS3-HMAC-SHA256'

interface AliyunCall {
  readonly host: string
  readonly action: string
  readonly version: string
  readonly query: Readonly<Record<string, string>>
  /** Parameters that are too long for a query. */
  readonly form?: Readonly<Record<string, string>>
  /** '2023-10-26T10:22:32Z' */
  readonly date: string
  readonly nonce: string
}

export async function signAliyun({ id, secret }: { readonly id: string; readonly secret: string }, call: AliyunCall) {
  const query = toCanonical(call.query)
  const body = toCanonical(call.form ?? {})
  const hash = toHex(await sha256(body))
  const headers: Record<string, string> = {
    ...(body !== '' && { 'content-type': 'application/x-www-form-urlencoded' }),
    host: call.host,
    'x-acs-action': call.action,
    'x-acs-content-sha256': hash,
    'x-acs-date': call.date,
    'x-acs-signature-nonce': call.nonce,
    'x-acs-version': call.version,
  }
  const names = Object.keys(headers).toSorted()
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const request = ['POST', '/', query, lines, names.join(';'), hash].join('\n')
  const signature = toHex(await hmacSha256(secret, `${ALGORITHM}\n${toHex(await sha256(request))}`))
  const { host: _, ...sent } = headers // fetch sets it
  const authorization = `${ALGORITHM} Credential=${id},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { path: `/?${query}` as const, headers: { ...sent, authorization }, body }
}

/** Encodes parameters: sorted by name, percent-encoded by RFC 3986. */
const toCanonical = (parameters: Readonly<Record<string, string>>): string =>
  Object.keys(parameters)
    .toSorted()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&')

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
