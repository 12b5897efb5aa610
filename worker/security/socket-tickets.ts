import { Refusal, refuse } from '#contract/kernel/errors.ts'
import * as z from 'zod'
import { HUB_KINDS, type HubKind, type HubName, type Viewer } from '#contract/kernel/hubs.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { randomToken } from './secrets.ts'
import { readToken, signToken } from './tokens.ts'
import { SESSION } from '#contract/login/limits.ts'

/* Tickets that open live sockets: short-lived signed tokens, which a hub accepts once. */

const TICKET = { audience: 'netloom-socket', typ: 'ticket+jwt' } as const

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

export const issueSocketTicket = (
  keys: string,
  { kind, hub, viewer }: Omit<SocketTicket, 'viewer'> & { readonly viewer: Omit<Viewer, 'ticketId' | 'isLegacy'> },
  now: number,
): Promise<string> => {
  const { accountId, accountHub, sessionId, person, grants } = viewer
  const content = { jti: randomToken(), kind, hub, account: accountId, accountHub, sid: sessionId, person, grants }
  return signToken(keys, TICKET, content, now, SESSION.ticketSeconds)
}

/** Reads a ticket. Throws TICKET_BAD, also for another kind of socket. */
export async function readSocketTicket(
  keys: string,
  ticket: string,
  kind: HubKind,
  now: number,
): Promise<SocketTicket> {
  const read = await readToken(keys, TICKET, claims, ticket, now).catch((error: unknown) => {
    if (error instanceof Refusal) return refuse('TICKET_BAD')
    throw error
  })
  const { jti, hub, account, accountHub, sid, person, grants } = read
  if (read.kind !== kind) return refuse('TICKET_BAD')
  const viewer = { accountId: account, accountHub, sessionId: sid, ticketId: jti, person, grants, isLegacy: false }
  return { kind, hub, viewer }
}
