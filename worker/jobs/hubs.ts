import { createHubs } from '#durable/hubs.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { type Db, createDriver, openDb } from '#db/client.ts'
import { deliverOutbox, selectDueEntries, selectEntriesAfter } from '#db/hub-outbox.ts'
import { mapLimit } from '#db/concurrency.ts'
import { selectOverdue } from '#features/ldap/sql/config.ts'

/* Jobs that call hubs: due entries of the hub outbox, and directories whose run is overdue. */

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

/** Most hubs that one cron run wakes, and the delay of a run that counts as overdue: hubs have an alarm of their own. */
const DIRECTORIES = 100
const LATE_MS = 60_000
const AT_ONCE = 20

/** Wakes directory hubs whose run is overdue, or which a save did not reach. */
export async function wakeDirectories(db: Db, hubs: Pick<Hubs, 'directory'>, now: number): Promise<void> {
  const due = await selectOverdue(db, now - LATE_MS, DIRECTORIES)
  await mapLimit(due, AT_ONCE, ({ hub }) => hubs.directory(hub).refresh())
}
