import { refuse } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { SESSION } from '../../contract/limits.ts'
import type { liveApi } from '../../contract/live.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { issueTicket } from '../../security/tickets.ts'
import { watchableNetwork, watchableRouter } from './queries.ts'

type Wish = Parsed<typeof liveApi.trafficTicket>

/** Another tenant's router or network answers like one that does not exist. */
export async function makeTicket(ctx: Ctx, wish: Wish): Promise<Output<typeof liveApi.trafficTicket>> {
  const session = sessionOf(ctx)
  const id = await targetOf(ctx, wish)
  const viewer = { accountId: session.accountId, sessionId: session.id, grants: session.grants }
  const ticket = await issueTicket(ctx.env.JWT_KEYS, { kind: wish.kind, id, viewer }, ctx.now)
  return { ticket, expires_in: SESSION.ticketSeconds }
}

async function targetOf(ctx: Ctx, wish: Wish): Promise<number> {
  const scope = sessionOf(ctx)
  switch (wish.kind) {
    case 'router':
      return (await watchableRouter(ctx.db, scope, wish.router_name)) ?? refuse('ROUTER_NOT_FOUND')
    case 'network':
      return (await watchableNetwork(ctx.db, scope, wish.network_number)) ?? refuse('NETWORK_NOT_FOUND')
    case 'account':
      return scope.accountId
  }
}
