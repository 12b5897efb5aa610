import { refuse } from '#contract/kernel/errors.ts'
import { type JWTPayload, SignJWT, errors, jwtVerify } from 'jose'
import * as z from 'zod'
import { remembered } from './secrets.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import type { Session } from '#contract/kernel/session.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Access tokens of the console (JWT), and the signing and reading of all kinds of tokens under JWT_KEYS and TICKET_KEYS. */

const ACCESS = { issuer: 'netloom', audience: 'netloom-api', typ: 'at+jwt' } as const // RFC 9068
const ALGORITHM = 'HS256'

const claims = z.object({
  sub: z.string(),
  sid: z.string(),
  sv: z.int(),
  ram: z.int().nullable(),
  name: z.string(),
  flags: z.array(z.enum(PERMISSIONS)),
  nets: z.array(z.string()).nullable(),
  hub: z.string().optional(),
  exp: z.int(),
})

export async function signAccessToken(keys: string, session: Session, now: number): Promise<string> {
  const content = {
    sub: String(session.accountId),
    sid: session.id,
    sv: session.version,
    ram: session.ramId,
    name: session.username,
    flags: session.grants.kind === 'main' ? [] : session.grants.flags,
    nets: session.grants.networks,
    ...(session.hub !== undefined && { hub: session.hub }),
  }
  return signToken(keys, ACCESS, content, now, SESSION.accessMinutes * 60)
}

/** Tokens with a verified signature: a console sends the same token with each call. */
const verified = new Map<string, Verified>()
const VERIFIED_MAX = 1_000

interface Verified {
  readonly keys: string
  readonly session: Session
  readonly expireAt: number
}

/** Reads a token. Throws TOKEN_EXPIRED or TOKEN_BAD. */
export async function readAccessToken(keys: string, token: string, now: number): Promise<Session> {
  const known = verified.get(token)
  if (known?.keys === keys && now < known.expireAt) return known.session
  const { session, expireAt } = await verifyAccessToken(keys, token, now)
  if (verified.size >= VERIFIED_MAX) verified.clear()
  verified.set(token, { keys, session, expireAt })
  return session
}

async function verifyAccessToken(keys: string, token: string, now: number): Promise<Omit<Verified, 'keys'>> {
  const { sub, sid, sv, ram, name, flags, nets, hub, exp } = await readToken(keys, ACCESS, claims, token, now)
  const session: Session = {
    id: sid,
    version: sv,
    accountId: Number(sub),
    ramId: ram,
    username: name,
    grants:
      ram === null ? { kind: 'main', flags: PERMISSIONS, networks: null } : { kind: 'ram', flags, networks: nets },
    ...(hub !== undefined && { hub }),
  }
  return { session, expireAt: exp * 1000 }
}

/** Kind of token. Type and audience differ, so that no token passes as one of another kind. */
interface TokenKind {
  readonly audience: string
  readonly typ: string
  readonly issuer?: string
}

/** Signs a token under the first key. */
export async function signToken(
  keys: string,
  { audience, typ, issuer }: TokenKind,
  content: JWTPayload,
  now: number,
  seconds: number,
): Promise<string> {
  const [{ kid, secret }] = await loadKeys(keys)
  const at = Math.floor(now / 1000)
  return new SignJWT({ ...content, ...(issuer !== undefined && { iss: issuer }) })
    .setProtectedHeader({ alg: ALGORITHM, typ, kid })
    .setAudience(audience)
    .setIssuedAt(at)
    .setExpirationTime(at + seconds)
    .sign(secret)
}

/**
 * Verifies a token and returns its claims. From its header only `kid` is read and looked up among the keys. Throws
 * TOKEN_EXPIRED or TOKEN_BAD.
 */
export async function readToken<T>(
  keys: string,
  kind: TokenKind,
  schema: z.ZodType<T>,
  token: string,
  now: number,
): Promise<T> {
  const known = await loadKeys(keys)
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => known.find((key) => key.kid === kid)?.secret ?? Promise.reject(new Error('unknown kid')),
      { algorithms: [ALGORITHM], ...kind, currentDate: new Date(now), requiredClaims: ['exp'] },
    )
    return schema.parse(payload)
  } catch (error) {
    return refuse(error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_BAD')
  }
}

interface Key {
  readonly kid: string
  readonly secret: CryptoKey
}

const loadKeys = remembered(importKeys)

async function importKeys(text: string): Promise<readonly [Key, ...Key[]]> {
  const keys = text.split(',').map(async (pair) => {
    const [kid = '', secret = ''] = pair.split(':')
    if (secret.length < 32) throw new Error('signing keys: kid:secret, 32 characters or more')
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const bytes = new TextEncoder().encode(secret)
    return { kid, secret: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']) }
  })
  const [first, ...rest] = await Promise.all(keys)
  if (!first) throw new Error('there are no signing keys')
  return [first, ...rest]
}
