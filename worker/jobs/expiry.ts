import type { CronRun } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { deliverNotices, endLostDials } from '#features/router/sql/dials.ts'
import { type OutboxContext, notifyHubs, refreshTasks, toRefreshEntries } from '#db/hub-outbox.ts'
import {
  auditNetworkStatusSince,
  updateNetworkStatusSince,
  updateWithdrawn,
  type SuspensionWarning,
  insertSuspensionWarnings,
  selectDueSuspensions,
} from '#features/network/sql/status.ts'
import { PORTION, deleteExpired, saveJobRun, selectJobRun } from '#db/retention.ts'
import { endExpiredClientSessions } from '#features/client/sql/sessions.ts'
import { endExpiredSessions, selectExpiredSessions } from '#features/login/sql/sessions.ts'
import { updateLapsed } from '#features/network-fr/sql/frs.ts'

/* Jobs that end what has expired: sessions, services, suspended networks, POP resources, dials, old rows. */

/** Most sessions that one run ends; the next run takes the rest. */
const SESSIONS = 500
/** Most portions of expired rows that one run deletes. */
const PORTIONS = 20
/** Overlap of two runs, because the clocks of two machines differ. */
const OVERLAP_MS = 120_000

/** Ends expired sessions. Their sockets were authorized only at the upgrade. */
export async function endSessions(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  await endExpiredClientSessions(db, now)
  const expired = await selectExpiredSessions(db, now, SESSIONS)
  if (expired.length === 0) return
  const ids = expired.map(({ id }) => id)
  const hubs = [...new Set(expired.map(({ hub }) => hub))]
  await batch(db, {
    ended: endExpiredSessions(db, ids, now),
    hubs: notifyHubs(ctx, refreshTasks('account', hubs)),
  })
}

/** Updates the networks of accounts whose services began or ended since the last run. */
export async function updateServices(db: Db, run: CronRun): Promise<void> {
  const { now } = run
  const [last] = await selectJobRun(db, 'services')
  const since = (last?.at ?? 0) - OVERLAP_MS
  await batch(db, {
    ...auditNetworkStatusSince(db, since, run),
    status: updateNetworkStatusSince(db, since, now),
    run: saveJobRun(db, 'services', now),
  })
}

/** Takes networks out of the documents of members after a long suspension, and back in after a renewal. */
export async function withdrawNetworks(ctx: OutboxContext & CronRun): Promise<void> {
  const { hubs } = await batch(ctx.db, updateWithdrawn(ctx.db, ctx))
  ctx.hubOutbox.push(...toRefreshEntries(hubs))
}

/** Site message about a suspended network, with the days until its devices lose the configuration. */
const suspensionMessage = (name: string, days: number): { readonly title: string; readonly content: string } => ({
  title: `组网“${name}”已停用`,
  content: `成员配额不足，组网“${name}”已停用。若未恢复，${days}天后将移除设备上的该组网配置，成员之间不再互通，请续费或移除多余成员。`,
})

/** Warns of networks that will be withdrawn. Open consoles count the new messages. */
export async function warnOfWithdrawal(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  const due = await selectDueSuspensions(db, now)
  if (due.length === 0) return
  const warnings = due.map(([id, suspendedAt, name, days]): SuspensionWarning => ({
    id,
    suspendedAt,
    days,
    ...suspensionMessage(name, days),
  }))
  const { hubs } = await batch(db, insertSuspensionWarnings(db, warnings, now))
  ctx.hubOutbox.push(...toRefreshEntries(hubs))
}

/** Takes POP resources whose term is over out of all documents. */
export async function lapseResources(ctx: OutboxContext & CronRun): Promise<void> {
  const { hubs } = await batch(ctx.db, updateLapsed(ctx.db, ctx))
  ctx.hubOutbox.push(...toRefreshEntries(hubs))
}

/** Ends dials without further reports, in portions. Members without another dial become offline (离线). */
export async function endDials(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  for (let portions = 1; portions <= PORTIONS; portions++) {
    const { notices, ...statements } = endLostDials(db, now)
    const { dials } = await batch(db, {
      presence: statements.presence,
      notices: deliverNotices(ctx, notices),
      dials: statements.dials,
    })
    if (dials.length < PORTION) return
  }
}

/** Deletes expired rows in portions: a flood of sign-ins writes faster than one portion a minute. */
export async function removeExpired(db: Db, now: number): Promise<void> {
  for (let portions = 1; portions <= PORTIONS; portions++) {
    const deleted = await batch(db, deleteExpired(db, now))
    if (Object.values(deleted).every((rows) => rows.length < PORTION)) return
  }
}
