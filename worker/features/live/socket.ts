import type { Context } from 'hono'
import type { Viewer } from '../../contract/hubs.ts'
import { CLOSE } from '../../contract/protocol.ts'
import { ERRORS, type Violation, messageOf, Refusal, refuse } from '../../contract/errors.ts'
import type { Ctx, HonoEnv } from '../../http/context.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { randomToken } from '../../security/secrets.ts'
import { type LiveKind, readTicket } from '../../security/tickets.ts'
import { readAccessToken } from '../../security/tokens.ts'
import { isSessionOpen, watchableRouter } from './queries.ts'

export const isUpgrade = (c: Context<HonoEnv>): boolean => c.req.header('upgrade')?.toLowerCase() === 'websocket'

/** Opens a viewer's socket on its hub, or a socket that says why not: a browser cannot read a refused upgrade. */
export async function openSocket(c: Context<HonoEnv>, kind: LiveKind): Promise<Response> {
  const ctx = c.get('ctx')
  try {
    // a page of another site cannot open a socket with a ticket it has stolen sight of
    if (!isSameOrigin(c)) return refuse('PERMISSION_DENIED')
    const { id, viewer } = await entryOf(c, ctx, kind)
    return await ctx.hubs.connect(kind, id, { by: 'viewer', viewer })
  } catch (error) {
    if (error instanceof Refusal) return refusingSocket(error.violation)
    throw error
  }
}

async function entryOf(c: Context<HonoEnv>, ctx: Ctx, kind: LiveKind): Promise<{ id: number; viewer: Viewer }> {
  const { ticket, token, router_name: routerName } = c.req.query()
  if (ticket) return readTicket(ctx.env.JWT_KEYS, ticket, kind, ctx.now)
  if (kind !== 'router' || !token || !routerName) return refuse('TICKET_BAD')
  return plainEntry(ctx, token, routerName)
}

/** The bare contract's way in: `token` and `router_name` in the query (network 7). The query is never logged. */
async function plainEntry(ctx: Ctx, token: string, routerName: string): Promise<{ id: number; viewer: Viewer }> {
  const session = await readAccessToken(ctx.env.JWT_KEYS, token, ctx.now)
  const { id: sessionId, accountId, grants } = session
  if (!(await isSessionOpen(ctx.db, session))) return refuse('SESSION_REVOKED')
  const id = (await watchableRouter(ctx.db, session, routerName)) ?? refuse('ROUTER_NOT_FOUND')
  return { id, viewer: { accountId, sessionId, ticketId: randomToken(), grants, isPlain: true } }
}

/** A message whose code is not 200 ends the stream (network 4). */
function refusingSocket(found: Violation): Response {
  const { 0: client, 1: socket } = new WebSocketPair()
  socket.accept()
  socket.send(JSON.stringify({ code: ERRORS[found.key].code, msg: messageOf(found), reason: found.key, data: null }))
  socket.close(CLOSE.sessionEnded, 'refused')
  return new Response(null, { status: 101, webSocket: client })
}
