import { createHubs } from '#durable/hubs.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { type Db, createDriver, openDb } from '#db/client.ts'
import { deliverOutbox, selectDueEntries, selectEntriesAfter } from '#db/hub-outbox.ts'
import { mapLimit, within } from '#db/concurrency.ts'
import { selectHold } from '#db/missing-rows.ts'
import { saveJobRun, selectJobRun } from '#db/retention.ts'
import { selectOverdue } from '#features/ldap/sql/config.ts'
import { selectDialServers } from '#features/router/sql/dials.ts'
import { log } from '#http/log.ts'

/* Jobs about hubs: due entries of the hub outbox, the operator's hold, and directories whose run is overdue. */

/** Number of entries that one query reads. */
const PORTION = 200

interface Sweep {
  /** Includes entries that are not due yet, because a restart has lost their delivery. */
  readonly all?: boolean
}

export const sweepHubOutbox = (env: Env, runId: string, sweep: Sweep = {}): Promise<void> =>
  sweepEntries(openDb(createDriver(env)), createHubs(env, runId), sweep)

export const sweepEntries = (db: Db, hubs: Hubs, { all = false }: Sweep = {}): Promise<void> =>
  all ? sweepAll(db, hubs) : sweepDue(db, hubs)

/** Delivers portions while hubs answer. After a failure the rest waits for the next sweep; sweeps must not overlap. */
async function sweepDue(db: Db, hubs: Hubs): Promise<void> {
  for (;;) {
    const entries = await selectDueEntries(db, Date.now(), PORTION)
    const failed = await deliverOutbox(db, hubs, entries, Date.now(), { timeoutMs: HUB_OUTBOX.sweepAnswerMs })
    if (failed > 0 || entries.length < PORTION) return
  }
}

async function sweepAll(db: Db, hubs: Hubs): Promise<void> {
  for (let after = ''; ;) {
    const entries = await selectEntriesAfter(db, after, PORTION)
    const last = entries.at(-1)
    if (!last) return
    await deliverOutbox(db, hubs, entries, Date.now())
    after = last.id
  }
}

/** Logs each minute that the operator's hold is on: devices without a row wait for a decision. */
export async function logHubHold(db: Db, runId: string): Promise<void> {
  const [hold] = await selectHold(db)
  if (hold !== undefined) log('error', 'hub_hold', { requestId: runId, since: hold.since })
}

/** Most hubs that one cron run wakes, and the delay of a run that counts as overdue: hubs have an alarm of their own. */
const DIRECTORIES = 100
const LATE_MS = 60_000
const AT_ONCE = 20

/** Wakes directory hubs whose run is overdue, or which a save did not reach. */
export async function wakeDirectories(db: Db, hubs: Pick<Hubs, 'directory'>, now: number): Promise<void> {
  const due = await selectOverdue(db, now - LATE_MS, DIRECTORIES)
  await mapLimit(due, AT_ONCE, ({ hub }) => hubs.directory(hub).refresh())
}

/**
 * Wakes the hubs of centres and nodes with open dials after a restart of the service: a device that does not come back is
 * offline (离线) a lease later, and so are those that dialled it. Nothing else wakes a hub that nobody watches.
 */
export async function checkDialServers(db: Db, hubs: Hubs): Promise<void> {
  for (let after = 0; ;) {
    const rows = await selectDialServers(db, after, PORTION)
    await mapLimit(rows, AT_ONCE, ([, hub]) => within(HUB_OUTBOX.sweepAnswerMs, hubs.router(hub).checkLease()))
    const last = rows.at(-1)
    if (last === undefined || rows.length < PORTION) return
    after = last[0]
  }
}

/** The same once for each release: a deploy restarts all hubs. */
export async function checkDialServersOf(db: Db, hubs: Hubs, release: string | undefined, now: number): Promise<void> {
  if (release === undefined) return
  const job = `dial-servers ${release}`
  if ((await selectJobRun(db, job)).length > 0) return
  await checkDialServers(db, hubs)
  await saveJobRun(db, job, now)
}
