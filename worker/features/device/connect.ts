import { refuse } from '../../contract/errors.ts'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import * as z from 'zod'
import type { DeviceIdentity } from '../../contract/hubs.ts'
import { DEVICE_TOKEN } from '../../contract/limits.ts'
import type { Ctx } from '../../http/context.ts'
import { deviceBySerial } from './queries.ts'

const AUDIENCE = 'netloom-device'
const ALGORITHM = 'EdDSA'

const publicKey = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
const claims = z.object({ iss: z.string(), jti: z.string().min(8).max(64), iat: z.number(), exp: z.number() })

/** Who connects, by the token that the device signed with its pinned key. One round trip to the database. */
export async function identifyDevice(ctx: Ctx, bearer: string): Promise<DeviceIdentity> {
  const serial = issuerOf(bearer)
  const device = await deviceBySerial(ctx.db, serial)
  if (!device?.publicKey) return refuse('DEVICE_REJECTED')
  const tokenId = await verify(bearer, serial, device.publicKey, ctx.now)
  const { routerId, accountId, routerName, status } = device
  if (routerId === null || accountId === null || routerName === null) return refuse('DEVICE_UNCLAIMED')
  if (status !== 1) return refuse('DEVICE_DISABLED')
  return { accountId, routerId, routerName, serial, remoteHost: ctx.ip, remotePort: 0, tokenId }
}

/** Not trusted yet: only says whose key to look up. */
function issuerOf(bearer: string): string {
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
