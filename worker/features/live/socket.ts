import type { Context } from 'hono'
import type { HubKind } from '#contract/kernel/hubs.ts'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { ERRORS, toMessage, Refusal, refuse } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'
import { personKey } from '#domain/account/user.ts'
import { watchKey } from '#domain/account/watch-key.ts'
import { isSameOrigin } from '#http/request-checks.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { logRefusal } from '#http/request-log.ts'
import { randomToken } from '#security/secrets.ts'
import { type SocketTicket, readSocketTicket } from '#security/socket-tickets.ts'
import { readAccessToken } from '#security/tokens.ts'
import { requireDevice } from './service.ts'
import { isSessionOpen } from './sql.ts'

/* Live sockets of viewers: checks the ticket and connects the socket to the hub of a router, network or account. */

export const isUpgrade = (c: Context<HonoEnv>): boolean => c.req.header('upgrade')?.toLowerCase() === 'websocket'

/** Opens a viewer's socket on its hub, or a socket that carries the refusal: a browser cannot read a refused upgrade. */
export async function openSocket(c: Context<HonoEnv>, kind: HubKind): Promise<Response> {
  const ctx = c.get('ctx')
  try {
    // a page of another site must not use a stolen ticket
    if (!isSameOrigin(c)) return refuse('ORIGIN_FOREIGN')
    const { hub, viewer } = await authorizeSocket(c, ctx, kind)
    return await ctx.hubs.connect(kind, hub, { by: 'viewer', viewer })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    logRefusal(c, error.violation)
    return refusingSocket(error.violation)
  }
}

type Authorized = Omit<SocketTicket, 'kind'>

async function authorizeSocket(c: Context<HonoEnv>, ctx: Ctx, kind: HubKind): Promise<Authorized> {
  const { ticket, token, router_name: routerName } = c.req.query()
  if (ticket) return readSocketTicket(ctx.env.JWT_KEYS, ticket, kind, ctx.now)
  if (kind !== 'router' || !token || !routerName) return refuse('TICKET_BAD')
  return authorizeLegacy(ctx, token, routerName)
}

/** Clients without tickets send `token` and `router_name` in the query (network 7). The query is never logged. */
async function authorizeLegacy(ctx: Ctx, token: string, routerName: string): Promise<Authorized> {
  const session = await readAccessToken(ctx.env.JWT_KEYS, token, ctx.now)
  const { accountId, grants } = session
  if (!(await isSessionOpen(ctx.db, session))) return refuse('SESSION_REVOKED')
  const { hub, accountHub } = await requireDevice(ctx.db, session, routerName)
  const [sessionId, person] = [watchKey(session), personKey(session)]
  return { hub, viewer: { accountId, accountHub, sessionId, ticketId: randomToken(), person, grants, isLegacy: true } }
}

/** A message whose code is not 200 ends the stream (network 4). */
function refusingSocket(found: Violation): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.send(JSON.stringify({ code: ERRORS[found.key].code, msg: toMessage(found), reason: found.key, data: null }))
  socket.close(CLOSE.sessionEnded, 'refused')
  return new Response(null, { status: 101, webSocket: client })
}
