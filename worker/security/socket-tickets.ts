import { refuse } from '#contract/kernel/errors.ts'
import { SignJWT, jwtVerify } from 'jose'
import * as z from 'zod'
import { HUB_KINDS, type HubKind, type HubName, type Viewer } from '#contract/kernel/hubs.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { randomToken } from './secrets.ts'
import { loadKeys } from './tokens.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Tickets that open live sockets: short-lived signed tokens, which a hub accepts once. */

const AUDIENCE = 'netloom-socket'
const TYPE = 'ticket+jwt'
const ALGORITHM = 'HS256'

/** Grant to open one live socket within seconds. The hub keeps the id of the ticket in its replay cache. */
export interface SocketTicket {
  readonly kind: HubKind
  readonly hub: HubName
  readonly viewer: Viewer
}

const claims = z.object({
  jti: z.string(),
  kind: z.enum(HUB_KINDS),
  hub: z.string(),
  account: z.int(),
  accountHub: z.string(),
  sid: z.string(),
  person: z.string(),
  grants: z.object({
    kind: z.enum(['main', 'ram']),
    flags: z.array(z.enum(PERMISSIONS)),
    networks: z.array(z.string()).nullable(),
  }),
})

export async function issueSocketTicket(
  keys: string,
  {
    kind,
    hub,
    viewer: { accountId, accountHub, sessionId, person, grants },
  }: {
    kind: HubKind
    hub: HubName
    viewer: Omit<Viewer, 'ticketId' | 'isLegacy'>
  },
  now: number,
): Promise<string> {
  const [{ kid, secret }] = await loadKeys(keys)
  return new SignJWT({ kind, hub, account: accountId, accountHub, sid: sessionId, person, grants })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setAudience(AUDIENCE)
    .setJti(randomToken())
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + SESSION.ticketSeconds)
    .sign(secret)
}

/** Reads a ticket. Throws TICKET_BAD, also for another kind of socket. */
export async function readSocketTicket(
  keys: string,
  ticket: string,
  kind: HubKind,
  now: number,
): Promise<SocketTicket> {
  const known = await loadKeys(keys)
  try {
    const { payload } = await jwtVerify(
      ticket,
      ({ kid }) => known.find((key) => key.kid === kid)?.secret ?? Promise.reject(new Error('unknown kid')),
      { algorithms: [ALGORITHM], audience: AUDIENCE, typ: TYPE, currentDate: new Date(now), requiredClaims: ['exp'] },
    )
    const { jti, hub, account, accountHub, sid, person, grants, ...claim } = claims.parse(payload)
    if (claim.kind !== kind) return refuse('TICKET_BAD')
    const viewer = { accountId: account, accountHub, sessionId: sid, ticketId: jti, person, grants, isLegacy: false }
    return { kind, hub, viewer }
  } catch {
    return refuse('TICKET_BAD')
  }
}
