import type { Context } from 'hono'
import { BOOKMARK_HEADER, isBookmark, newestBookmark } from '#contract/kernel/bookmark.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { NEAR_READ } from '#contract/kernel/hub-limits.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import type { Session } from '#contract/kernel/session.ts'
import { bookmarkOfRead, isReadableNear } from '#db/bookmarks.ts'
import { within } from '#db/concurrency.ts'
import { type Driver, type DriverOptions, type Rows, type Statement, isRead } from '#db/driver.ts'
import type { HonoEnv } from './context.ts'

/* Near reads: a copy of the database near the caller answers where the caller's bookmark and the account's hub allow it. */

interface NearDeps {
  readonly session: Session | null
  open(options: DriverOptions): Driver
  account(hub: string): Pick<ReturnType<Hubs['account']>, 'sessionState'>
}

/** Admits a read to a copy if its endpoint is near and the caller has sent a bookmark. */
export function admitNearRead(c: Context<HonoEnv>, { reads }: Pick<Endpoint, 'reads'>): void {
  if (reads !== 'near') return
  const { session, now } = c.get('ctx')
  const sent = c.req.header(BOOKMARK_HEADER)
  c.set('isNearEndpoint', true)
  if (session?.hub !== undefined && sent !== undefined && isReadableNear(c.env, sent, now)) c.set('since', sent)
}

/** Sends the rest of a request to the primary. True if a copy has answered so far: what it refuses is asked again there. */
export function leaveCopy(c: Context<HonoEnv>): boolean {
  const isLeft = c.get('since') !== undefined && c.get('nearTrips') > 0
  c.set('since', undefined)
  return isLeft
}

/**
 * Driver of a request, which keeps the newest bookmark of its trips. A stranger gets none: it counts all writes, and would
 * tell known names from unknown ones.
 */
export function requestDriver(c: Context<HonoEnv>, deps: NearDeps): Driver {
  const onBookmark = (bookmark: string) => c.set('bookmark', newestBookmark(c.get('bookmark'), bookmark))
  let primary: Driver | undefined
  let asked: Promise<boolean> | undefined
  return async (statements) => {
    primary ??= deps.open(deps.session !== null && c.get('isClosed') ? { onBookmark } : {})
    const since = c.get('since')
    if (since === undefined || !isRead(statements)) return primary(statements)
    asked ??= isSessionOpen(c, deps)
    c.set('nearTrips', c.get('nearTrips') + 1)
    const rows = await readCopy(deps.open({ onBookmark, since }), statements, asked)
    if (rows !== null) return rows
    c.set('since', undefined)
    c.set('trips', c.get('trips') + 1)
    return primary(statements)
  }
}

/** Rows of the copy; null if it fails or waits too long, or the session may have ended: then the primary decides. */
async function readCopy(
  copy: Driver,
  statements: readonly Statement[],
  asked: Promise<boolean>,
): Promise<Rows[] | null> {
  const rows = within(NEAR_READ.copyMs, copy(statements)).catch(() => null)
  return (await asked) ? rows : null
}

/** Asks the account's hub, because a copy may not know yet that the session has ended or lost rights. */
async function isSessionOpen(c: Context<HonoEnv>, { session, account }: NearDeps): Promise<boolean> {
  if (session?.hub === undefined) return false
  c.set('hubCalls', c.get('hubCalls') + 1)
  const { id, version, hub } = session
  const state = within(NEAR_READ.hubMs, account(hub).sessionState({ id, version }))
  return (await state.catch(() => null)) === 'open'
}

/** Adds the bookmark to the answer. */
export function nameBookmark(c: Context<HonoEnv>): void {
  if (c.res.status === 101) return // headers of a hub's own answer are immutable
  const sent = c.req.header(BOOKMARK_HEADER)
  const known = sent !== undefined && isBookmark(sent) ? sent : undefined
  const ofRead = c.get('isNearEndpoint') ? bookmarkOfRead(c.env, known, Date.now()) : undefined
  const bookmark = c.get('bookmark') ?? ofRead
  if (bookmark !== undefined) c.res.headers.set(BOOKMARK_HEADER, bookmark)
}
