import { refuse } from '#contract/kernel/errors.ts'
import { decodeJwt, importJWK, jwtVerify } from 'jose'
import * as z from 'zod'
import { DEVICE_TOKEN } from '#contract/kernel/hub-limits.ts'

/* Token that a device signs with its own key for each connection. */

const AUDIENCE = 'netloom-device'
const ALGORITHM = 'EdDSA'

const jwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
const claims = z.object({ iss: z.string(), jti: z.string().min(8).max(64), iat: z.number(), exp: z.number() })

/** The claimed issuer, not verified yet: selects the key to verify with. Throws DEVICE_REJECTED. */
export function parseIssuer(bearer: string): string {
  try {
    return claims.shape.iss.parse(decodeJwt(bearer).iss)
  } catch {
    return refuse('DEVICE_REJECTED')
  }
}

/** Single-use id of the token, and `x` of the stored key that it is signed with; null for a wrong token. */
export async function verifyDeviceToken(
  bearer: string,
  serial: string,
  storedKey: string,
  now: number,
): Promise<{ readonly tokenId: string; readonly publicKey: string } | null> {
  try {
    const key = jwk.parse(JSON.parse(storedKey))
    const { payload } = await jwtVerify(bearer, await importJWK(key, ALGORITHM), {
      algorithms: [ALGORITHM],
      issuer: serial,
      audience: AUDIENCE,
      currentDate: new Date(now),
      clockTolerance: DEVICE_TOKEN.leewaySeconds,
      maxTokenAge: DEVICE_TOKEN.seconds,
    })
    const { jti, iat, exp } = claims.parse(payload)
    return exp - iat <= DEVICE_TOKEN.seconds ? { tokenId: jti, publicKey: key.x } : null
  } catch {
    return null
  }
}
