import { faultText, log } from './log.ts'
import type { Ctx } from './context.ts'

/** Hubs asked at the same time after one call. */
const AT_ONCE = 32

interface Affected {
  /** Networks whose members or names moved. */
  readonly networkIds?: readonly number[]
  /** Routers whose document moved: the answer of `markStale`. */
  readonly routerIds?: readonly number[]
  /** Networks and members that are gone. */
  readonly goneNetworkIds?: readonly number[]
  readonly goneRouterIds?: readonly number[]
}

/**
 * Tells the hubs what a committed write moved, behind the answer. A notice that gets lost does no harm: the routers'
 * rows are marked, and the cron `configuration` finds them.
 */
export function tellHubs({ hubs, waitUntil }: Ctx, affected: Affected): void {
  const notices = [
    ...(affected.goneRouterIds ?? []).map((id) => () => hubs.router(id).remove()),
    ...(affected.goneNetworkIds ?? []).map((id) => () => hubs.network(id).remove()),
    ...(affected.networkIds ?? []).map((id) => () => hubs.network(id).refresh()),
    ...(affected.routerIds ?? []).map((id) => () => hubs.router(id).refresh()),
  ]
  waitUntil(sendAll(notices))
}

/** Runs all of them, some at a time; one that fails stops no other. */
export async function sendAll(notices: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let i = 0; i < notices.length; i += AT_ONCE) {
    const results = await Promise.allSettled(notices.slice(i, i + AT_ONCE).map((notice) => notice()))
    for (const result of results) {
      if (result.status === 'rejected') log('warn', 'hub notice', { error: faultText(result.reason) })
    }
  }
}
