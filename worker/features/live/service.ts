import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { watchKey } from '#domain/account/watch-key.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { issueSocketTicket } from '#security/socket-tickets.ts'
import { type WatchTarget, selectAccount, selectWatchableNetwork, selectWatchableRouter } from './sql.ts'
import { SESSION } from '#contract/login/limits.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { requireRow } from '#db/require-row.ts'
import { personKey } from '#domain/account/user.ts'

/* Tickets with which a browser opens a live socket of a router, network or account. */

type TicketRequest = Parsed<typeof routerApi.trafficTicket>

/** Issues a ticket. A router or network of another tenant answers like one that does not exist. */
export async function createSocketTicket(ctx: Ctx, request: TicketRequest) {
  const session = requireSession(ctx)
  const { hub, accountHub } = await requireTarget(ctx, request)
  const { accountId, grants } = session
  const viewer = { accountId, accountHub, sessionId: watchKey(session), person: personKey(session), grants }
  const ticket = await issueSocketTicket(ctx.env.JWT_KEYS, { kind: request.kind, hub, viewer }, ctx.now)
  return { ticket, expires_in: SESSION.ticketSeconds }
}

/** Hardware router of this name in the caller's scope, with its hub and the account's. */
export async function requireDevice(db: Db, scope: Scope, routerName: string): Promise<WatchTarget> {
  const target = await requireRow(selectWatchableRouter(db, scope, routerName), 'ROUTER_NOT_FOUND')
  return target.routerType === ROUTER_TYPE.hardware ? target : refuse('HARDWARE_ONLY')
}

function requireTarget(ctx: Ctx, request: TicketRequest): Promise<WatchTarget> {
  const scope = requireSession(ctx)
  switch (request.kind) {
    case 'router':
      return requireDevice(ctx.db, scope, request.router_name)
    case 'network':
      return requireRow(selectWatchableNetwork(ctx.db, scope, request.network_number), 'NETWORK_NOT_FOUND')
    case 'account':
      return requireRow(selectAccount(ctx.db, scope), 'SESSION_REVOKED')
  }
}
