import type { Hubs } from '#contract/kernel/hubs.ts'
import type { Db } from '#db/client.ts'
import { selectOverdue } from '#features/ldap/sql/config.ts'
import { mapLimit } from '#db/map-limit.ts'

/** Hubs that one run of the cron wakes, and how late a run must be: hubs have an alarm of their own. */
const PORTION = 100
const LATE_MS = 60_000
const CONCURRENCY = 20

/** Wakes directory hubs whose run is overdue, or that a save did not reach. */
export async function wakeDirectories(db: Db, hubs: Pick<Hubs, 'directory'>, now: number): Promise<void> {
  const due = await selectOverdue(db, now - LATE_MS, PORTION)
  await mapLimit(due, CONCURRENCY, ({ hub }) => hubs.directory(hub).refresh())
}
