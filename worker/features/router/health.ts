import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed, Output } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { StateMove } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { RouterEvents } from '#contract/router/views.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { isRouterNamed } from './sql/routers.ts'
import { stateAt, toMove } from '#domain/health/history.ts'
import { toPresenceView } from '#domain/router/presence.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { readTransitions, readPaths } from '#features/network/service.ts'
import { selectRouterHubs, selectRouterNetworks } from './sql/lists.ts'
import type { routerApi } from '#contract/router/index.ts'
import { NO_PATHS, sumPaths } from '#domain/health/paths.ts'
import { selectConnections } from '#features/logs/sql/member-records.ts'

/* History of a member's states (events, bar of presence), and the paths of members' traffic. */

type Api = typeof routerApi

/** Reads the row, and the transitions from the account's hub; those around a time in the past are in the log. */
export async function listRouterEvents(ctx: Ctx, { router_name, at }: Parsed<(typeof routerApi)['events']>) {
  if (at !== undefined) return readEventsNear(ctx, router_name, at)
  const { db, now } = ctx
  const router = await requireRow(selectRouterHubs(db, requireSession(ctx), router_name), 'ROUTER_NOT_FOUND')
  const kept = await readTransitions(ctx, router.accountHub, router.hub)
  const transitions = kept ?? []
  const from = now - HEALTH.barMs
  return {
    live: toWireBoolean(kept !== null),
    transitions: [...transitions],
    bar: { from, to: now, start: kept && findStartState(toPresenceView(router.state).state, transitions, from) },
  }
}

async function readEventsNear(ctx: Ctx, routerName: string, at: number): Promise<RouterEvents> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const [from, to] = [at - HEALTH.barMs / 2, Math.min(now, at + HEALTH.barMs / 2)]
  const { routers, lines } = await batch(db, {
    routers: selectRouterHubs(db, scope, routerName),
    lines: selectConnections(db, scope, { of: isRouterNamed(db, scope, routerName), from, to }),
  })
  if (routers.length === 0) return refuse('ROUTER_NOT_FOUND')
  const transitions = lines.map(toMove)
  const start = lines.length === HEALTH.eventsShown ? null : (transitions.at(-1)?.from ?? null)
  return { live: 1, transitions, bar: { from, to: Math.max(from, to), start } } // a future time has no bar
}

/** State at the start of the bar; null if the start is before the oldest of a cut list of transitions. */
function findStartState(state: PresenceState, transitions: readonly StateMove[], from: number): PresenceState | null {
  const oldest = transitions.at(-1)
  const isCut = transitions.length >= HEALTH.eventsShown && oldest !== undefined && oldest.at > from
  return isCut ? null : stateAt(state, transitions, from)
}

/** Reads the rows, and the paths from the account's hub, to which networks push the paths of their members. */
export async function listRouterPaths(ctx: Ctx, input: Parsed<Api['paths']>): Promise<Output<Api['paths']>> {
  const rows = await selectRouterNetworks(ctx.db, requireSession(ctx), input.router_name)
  const first = rows[0] ?? refuse('ROUTER_NOT_FOUND')
  const hubs = [...new Set(rows.flatMap(({ networkHub }) => networkHub ?? []))]
  const known = hubs.length === 0 ? {} : await readPaths(ctx, first.accountHub, hubs, input.router_name)
  const names = [...new Set(rows.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const own = rows.flatMap((row) => (row.name === name && row.networkHub !== null ? [row.networkHub] : []))
      const isKnown = known !== null && own.every((hub) => hub in known)
      return [name, isKnown ? sumPaths(own.map((hub) => known[hub]?.[name] ?? NO_PATHS)) : null]
    }),
  )
}
