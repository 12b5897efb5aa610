import { Refusal } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { HUB_HOLD } from '#contract/kernel/hub-limits.ts'
import { LOCAL_RELEASE, addCounters } from '#contract/kernel/status.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { STATUS } from '#contract/ops/limits.ts'
import { type Results, batch } from '#db/batch.ts'
import { within } from '#db/concurrency.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { LAST_MIGRATION } from '#db/schema/last-migration.ts'
import {
  type StatusCounters,
  type StatusFacts,
  type StatusRows,
  toIndicators,
  toReleaseCounters,
  worstOf,
} from '#domain/ops/status.ts'
import type { Ctx } from '#http/context.ts'
import { selectStatus } from './sql/status.ts'

/* Operator's status. It answers whatever else does not: a database that is away is its most important line. */

interface Range {
  readonly from: number
  readonly to: number
}

export async function showStatus(
  ctx: Ctx,
  { span_s, ago_s }: Parsed<typeof opsApi.status>,
): Promise<Output<typeof opsApi.status>> {
  const to = ctx.now - ago_s * 1000 + 1
  const range = { from: to - span_s * 1000, to }
  const [{ database, rows }, counters, probeFault] = await Promise.all([
    readRows(ctx),
    readCounters(ctx, range),
    ctx.status.probeHub().then(() => null, faultOf),
  ])
  const indicators = toIndicators({ now: ctx.now, database, rows, counters, probeFault })
  return {
    level: worstOf(indicators),
    release: ctx.env.CF_VERSION_METADATA?.id ?? LOCAL_RELEASE,
    ...range,
    counters: typeof counters === 'string' ? counters : 'kept',
    indicators: [...indicators],
    releases:
      typeof counters === 'string'
        ? []
        : Object.entries(counters.releases).map(([release, counted]) => toReleaseCounters(release, counted)),
  }
}

const faultOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** A refusal is that of a token whose address is paused. Any other error is a fact. */
async function readRows({ db, now }: Ctx): Promise<Pick<StatusFacts, 'database' | 'rows'>> {
  const startedAt = Date.now()
  try {
    const rows = toRows(await within(STATUS.answerMs, batch(db, selectStatus(db, now))))
    return { rows, database: { ms: Math.max(0, Date.now() - startedAt), fault: null } }
  } catch (thrown) {
    const error = parseGuardFailure(thrown)
    if (error instanceof Refusal) throw error
    return { rows: null, database: { ms: Date.now() - startedAt, fault: faultOf(error) } }
  }
}

function toRows(found: Results<ReturnType<typeof selectStatus>>): StatusRows {
  const [newest, isThere] = onlyRow(found.migrations)
  const [waiting, stuck, stuckSince] = onlyRow(found.outbox)
  const [unreadable, unreadableSince] = onlyRow(found.unreadable)
  const [documents, documentsSince] = onlyRow(found.documents)
  const [directories, failing] = onlyRow(found.directories)
  const [recent] = onlyRow(found.recent)
  return {
    migrations: { newest: newest ?? 'none', expected: LAST_MIGRATION, isThere: isThere === 1 },
    outbox: { waiting, stuck: { count: stuck, since: stuckSince } },
    online: onlyRow(found.present)[0],
    unreadable: { count: unreadable, since: unreadableSince },
    documents: { count: documents, since: documentsSince },
    directories: { all: directories, failing },
    providersDown: found.providers
      .filter(({ isDown }) => isDown === 1)
      .map(({ channel, failure }) => `${channel} is down: ${failure}`),
    missing: { recent, limit: HUB_HOLD.max, heldSince: found.hold[0]?.since ?? null },
    cronAt: found.cron[0]?.at ?? null,
  }
}

/** Row of a statement that counts. */
function onlyRow<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('a count has no row')
  return row
}

async function readCounters({ status, now }: Ctx, { from, to }: Range): Promise<StatusCounters | 'unbound' | 'away'> {
  const onlineBefore = now - STATUS.beforeMs
  const asked = status.read({ from, to, onlineBefore })
  const askedBefore = status.read({ from: from - STATUS.beforeMs, to: to - STATUS.beforeMs, onlineBefore })
  if (asked === null || askedBefore === null) return 'unbound'
  try {
    const [{ releases, online }, before] = await Promise.all([asked, askedBefore])
    const sums = addCounters(...Object.values(before.releases))
    return { spanMs: to - from, releases, before: sums, onlineBefore: online }
  } catch {
    return 'away'
  }
}
