import { refuse } from '#contract/kernel/errors.ts'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import * as z from 'zod'
import type { DeviceIdentity, HubName } from '#contract/kernel/hubs.ts'
import { DEVICE_TOKEN } from '#contract/kernel/hub-limits.ts'
import type { Ctx } from '#http/context.ts'
import { keyFingerprint } from '#security/device-key.ts'
import { selectDevice } from './sql.ts'

const AUDIENCE = 'netloom-device'
const ALGORITHM = 'EdDSA'

const publicKey = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
const claims = z.object({ iss: z.string(), jti: z.string().min(8).max(64), iat: z.number(), exp: z.number() })

interface IdentifiedDevice {
  readonly hub: HubName
  /** Hub of the account's directory; null where it has none. */
  readonly directoryHub: HubName | null
  readonly device: DeviceIdentity
}

/** The device that signed this token with its pinned key, and the hub of the router it is claimed as. One round trip. */
export async function identifyDevice(ctx: Ctx, bearer: string): Promise<IdentifiedDevice> {
  const serial = parseIssuer(bearer)
  const row = await selectDevice(ctx.db, serial)
  if (!row?.publicKey) return refuse('DEVICE_REJECTED')
  const tokenId = await verify(bearer, serial, row.publicKey, ctx.now)
  const { hub, directoryHub, accountId, deviceId, routerName, status } = row
  if (hub === null || accountId === null || routerName === null) return refuse('DEVICE_UNCLAIMED')
  if (status !== 1) return refuse('DEVICE_DISABLED')
  const fingerprint = keyFingerprint(row.publicKey)
  const origin = { remoteHost: ctx.ip, remotePort: 0 }
  const device = { accountId, deviceId, keyFingerprint: fingerprint, routerName, serial, ...origin, tokenId }
  return { hub, directoryHub, device }
}

/** The claimed issuer, not verified yet: selects the key to verify with. */
function parseIssuer(bearer: string): string {
  try {
    return claims.shape.iss.parse(decodeJwt(bearer).iss)
  } catch {
    return refuse('DEVICE_REJECTED')
  }
}

async function verify(bearer: string, serial: string, pinned: string, now: number): Promise<string> {
  try {
    const key = await importJWK(publicKey.parse(JSON.parse(pinned)), ALGORITHM)
    const { payload } = await jwtVerify(bearer, key, {
      algorithms: [ALGORITHM],
      issuer: serial,
      audience: AUDIENCE,
      currentDate: new Date(now),
      clockTolerance: DEVICE_TOKEN.leewaySeconds,
      maxTokenAge: DEVICE_TOKEN.seconds,
    })
    const { jti, iat, exp } = claims.parse(payload)
    return exp - iat <= DEVICE_TOKEN.seconds ? jti : refuse('DEVICE_REJECTED')
  } catch {
    return refuse('DEVICE_REJECTED')
  }
}
