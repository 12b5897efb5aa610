import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import * as z from 'zod'
import { refuse } from '#contract/kernel/errors.ts'
import type { ClientSession } from '#contract/kernel/session.ts'
import { loadKeys } from './tokens.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Access tokens of the client application. Type and audience differ from those of the console's tokens. */

const AUDIENCE = 'netloom-client'
const TYPE = 'client+jwt'
const ALGORITHM = 'HS256'

const claims = z.object({ sub: z.string(), sid: z.string(), rid: z.int() })

export async function signClientToken(keys: string, session: ClientSession, now: number): Promise<string> {
  const [{ kid, secret }] = await loadKeys(keys)
  const seconds = Math.floor(now / 1000)
  return new SignJWT({ sid: session.id, rid: session.routerId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setAudience(AUDIENCE)
    .setSubject(String(session.accountId))
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + SESSION.accessMinutes * 60)
    .sign(secret)
}

/** Tells the two kinds of tokens apart by the unverified header. The reader of each kind checks the signature. */
export function isClientToken(token: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === TYPE
  } catch {
    return false
  }
}

/** Throws TOKEN_EXPIRED or TOKEN_BAD. */
export async function readClientToken(keys: string, token: string, now: number): Promise<ClientSession> {
  const known = await loadKeys(keys)
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => known.find((key) => key.kid === kid)?.secret ?? Promise.reject(new Error('unknown kid')),
      { algorithms: [ALGORITHM], audience: AUDIENCE, typ: TYPE, currentDate: new Date(now), requiredClaims: ['exp'] },
    )
    const { sub, sid, rid } = claims.parse(payload)
    return { id: sid, accountId: Number(sub), routerId: rid }
  } catch (error) {
    return refuse(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_BAD')
  }
}
