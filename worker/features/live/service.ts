import { refuse } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { personKey } from '#domain/account/person.ts'
import { watchKey } from '#domain/account/watch-key.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { issueSocketTicket } from '#security/socket-tickets.ts'
import { type WatchTarget, selectAccount, selectWatchableNetwork } from './sql.ts'
import { requireDevice } from './require.ts'
import { SESSION } from '#contract/login/limits.ts'
import type { routerApi } from '#contract/router/index.ts'

type TicketRequest = Parsed<typeof routerApi.trafficTicket>

/** A router or network of another tenant answers like one that does not exist. */
export async function createSocketTicket(
  ctx: Ctx,
  request: TicketRequest,
): Promise<Output<typeof routerApi.trafficTicket>> {
  const session = requireSession(ctx)
  const { hub, accountHub } = await requireTarget(ctx, request)
  const { accountId, grants } = session
  const viewer = { accountId, accountHub, sessionId: watchKey(session), person: personKey(session), grants }
  const ticket = await issueSocketTicket(ctx.env.JWT_KEYS, { kind: request.kind, hub, viewer }, ctx.now)
  return { ticket, expires_in: SESSION.ticketSeconds }
}

async function requireTarget(ctx: Ctx, request: TicketRequest): Promise<WatchTarget> {
  const scope = requireSession(ctx)
  switch (request.kind) {
    case 'router':
      return requireDevice(ctx.db, scope, request.router_name)
    case 'network':
      return (await selectWatchableNetwork(ctx.db, scope, request.network_number)) ?? refuse('NETWORK_NOT_FOUND')
    case 'account':
      return (await selectAccount(ctx.db, scope)) ?? refuse('SESSION_REVOKED')
  }
}
