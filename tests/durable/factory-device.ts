import { env } from 'cloudflare:test'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { deviceApi } from '#contract/device/index.ts'
import { createHubs } from '#durable/hubs.ts'
import { activationHash } from '#security/device-secrets.ts'
import { type Caller, unique } from '#tests/support/fixtures.ts'
import { insertDevice, insertRouter } from '#tests/support/rows.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'

/* A device with a key of its own, which enrols and connects through the Worker. */

/** The Worker with its real hubs. */
export const worker = createTestWorker({ hubs: (requestId) => createHubs(env, requestId) })
const CODE = 'ABCD-EFGH-JKMN'

export async function createFactoryDevice() {
  const serial = unique('NL-').toUpperCase()
  const activationHashed = await activationHash(env.HMAC_SECRET, serial, CODE)
  const { id: deviceId } = await insertDevice({ serial, activationHash: activationHashed })
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { kty, crv, x } = await exportJWK(publicKey)
  return { serial, deviceId, privateKey, publicJwk: { kty, crv, x } as never }
}
export type FactoryDevice = Awaited<ReturnType<typeof createFactoryDevice>>

export const claim = ({ serial, deviceId }: FactoryDevice, { accountId }: Caller) =>
  insertRouter({ accountId, name: serial, deviceId })

/** A well-formed key that no device has. */
export const KEY = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }

export async function enrol(
  device: Pick<FactoryDevice, 'serial' | 'publicJwk'>,
  over: Record<string, unknown> = {},
  headers: Record<string, string> = { 'cf-connecting-ip': device.serial },
) {
  const response = await worker.request(`/device/v1/${deviceApi.enrol.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ serial: device.serial, activation_code: CODE, public_key: device.publicJwk, ...over }),
  })
  return response.json<{ code: number; msg: string }>()
}

export const now = () => Math.floor(Date.now() / 1000)
export function createToken(
  device: FactoryDevice,
  over: { iss?: string; aud?: string; iat?: number; exp?: number; jti?: string } = {},
) {
  const { iss = device.serial, aud = 'netloom-device', iat = now(), exp = now() + 45, jti = unique('jti-') } = over
  return new SignJWT()
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuer(iss)
    .setAudience(aud)
    .setIssuedAt(iat)
    .setExpirationTime(exp)
    .setJti(jti)
    .sign(device.privateKey)
}

export async function connect(
  token: string | null,
  upgrade = true,
  ip = '127.0.0.1',
  more: Readonly<Record<string, string>> = {},
) {
  const response = await worker.request('/device/v1/connect', {
    headers: {
      'cf-connecting-ip': ip,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(upgrade && { upgrade: 'websocket' }),
      ...more,
    },
  })
  if (response.webSocket) return { status: 101, socket: response.webSocket, headers: null, code: 0, msg: '' }
  const answer = await response.json<{ code: number; msg: string }>()
  return { status: response.status, socket: null, headers: response.headers, ...answer }
}
