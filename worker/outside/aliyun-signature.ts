import { hmacSha256, toHex } from '#security/hmac-sha256.ts'
import { sha256 } from '#security/secrets.ts'

/** Signature version 3 of Alibaba Cloud's API, RPC style (ACS3-HMAC-SHA256). */

const ALGORITHM = 'ACS3-HMAC-SHA256'

export interface AliyunKey {
  readonly id: string
  readonly secret: string
}

export interface AliyunCall {
  readonly host: string
  readonly action: string
  readonly version: string
  readonly query: Readonly<Record<string, string>>
  /** Parameters that are too long for a query; empty without any. */
  readonly form?: Readonly<Record<string, string>>
  /** '2023-10-26T10:22:32Z' */
  readonly date: string
  readonly nonce: string
}

export interface SignedCall {
  readonly path: `/?${string}`
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export async function signAliyun({ id, secret }: AliyunKey, call: AliyunCall): Promise<SignedCall> {
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
  return {
    path: `/?${query}`,
    headers: {
      ...sent,
      authorization: `${ALGORITHM} Credential=${id},SignedHeaders=${names.join(';')},Signature=${signature}`,
    },
    body,
  }
}

/** Sorted by name, RFC 3986 percent-encoding. */
const toCanonical = (parameters: Readonly<Record<string, string>>): string =>
  Object.keys(parameters)
    .toSorted()
    .map((name) => `${encode(name)}=${encode(parameters[name] ?? '')}`)
    .join('&')

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
