import { hmacSha256, toHex } from '#security/hmac-sha256.ts'
import { sha256 } from '#security/secrets.ts'

/** Signature version 3 of Tencent Cloud's API (TC3-HMAC-SHA256). */

const ALGORITHM = 'TC3-HMAC-SHA256'
const CONTENT_TYPE = 'application/json; charset=utf-8'

export interface TencentKey {
  readonly id: string
  readonly secret: string
}

export interface TencentCall {
  readonly host: string
  readonly service: string
  readonly action: string
  readonly version: string
  readonly region: string
  readonly body: string
  readonly atSeconds: number
}

/** Headers of the call but `host`, which fetch sets. */
export async function signTencent({ id, secret }: TencentKey, call: TencentCall): Promise<Record<string, string>> {
  const { host, service, action, version, region, body, atSeconds } = call
  const signed = { 'content-type': CONTENT_TYPE, host, 'x-tc-action': action.toLowerCase() }
  const names = Object.keys(signed).join(';')
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`)
  const request = ['POST', '/', '', lines.join(''), names, toHex(await sha256(body))].join('\n')
  const date = new Date(atSeconds * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const text = [ALGORITHM, atSeconds, scope, toHex(await sha256(request))].join('\n')
  const key = await hmacSha256(await hmacSha256(await hmacSha256(`TC3${secret}`, date), service), 'tc3_request')
  const signature = toHex(await hmacSha256(key, text))
  return {
    'content-type': CONTENT_TYPE,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-timestamp': String(atSeconds),
    ...(region !== '' && { 'x-tc-region': region }),
    authorization: `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
