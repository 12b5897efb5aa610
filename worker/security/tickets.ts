import { refuse } from '../contract/errors.ts'
import { SignJWT, jwtVerify } from 'jose'
import * as z from 'zod'
import type { Viewer } from '../contract/hubs.ts'
import { SESSION } from '../contract/limits.ts'
import { PERMISSIONS } from '../contract/permissions.ts'
import { randomToken } from './secrets.ts'
import { keysOf } from './tokens.ts'

const AUDIENCE = 'netloom-socket'
const TYPE = 'ticket+jwt'
const ALGORITHM = 'HS256'

export const LIVE_KINDS = ['router', 'network', 'account'] as const
export type LiveKind = (typeof LIVE_KINDS)[number]

/** Leave to open one live socket once, within seconds. The hub remembers the ticket's id, so it is good for one. */
export interface Ticket {
  readonly kind: LiveKind
  /** Of the router, network or account. */
  readonly id: number
  readonly viewer: Viewer
}

const claims = z.object({
  jti: z.string(),
  kind: z.enum(LIVE_KINDS),
  id: z.int(),
  account: z.int(),
  sid: z.string(),
  grants: z.object({
    kind: z.enum(['main', 'ram']),
    flags: z.array(z.enum(PERMISSIONS)),
    networks: z.array(z.string()).nullable(),
  }),
})

export async function issueTicket(
  keys: string,
  { kind, id, viewer }: { kind: LiveKind; id: number; viewer: Pick<Viewer, 'accountId' | 'sessionId' | 'grants'> },
  now: number,
): Promise<string> {
  const [{ kid, secret }] = await keysOf(keys)
  return new SignJWT({ kind, id, account: viewer.accountId, sid: viewer.sessionId, grants: viewer.grants })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setAudience(AUDIENCE)
    .setJti(randomToken())
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + SESSION.ticketSeconds)
    .sign(secret)
}

/** Throws TICKET_BAD, also for a ticket of another kind of socket. */
export async function readTicket(keys: string, ticket: string, kind: LiveKind, now: number): Promise<Ticket> {
  const known = await keysOf(keys)
  try {
    const { payload } = await jwtVerify(
      ticket,
      ({ kid }) => known.find((key) => key.kid === kid)?.secret ?? Promise.reject(new Error('unknown kid')),
      { algorithms: [ALGORITHM], audience: AUDIENCE, typ: TYPE, currentDate: new Date(now), requiredClaims: ['exp'] },
    )
    const { jti, id, account, sid, grants, ...claim } = claims.parse(payload)
    if (claim.kind !== kind) return refuse('TICKET_BAD')
    return { kind, id, viewer: { accountId: account, sessionId: sid, ticketId: jti, grants, isPlain: false } }
  } catch {
    return refuse('TICKET_BAD')
  }
}
