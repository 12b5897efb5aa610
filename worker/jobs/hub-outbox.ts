import { createHubs } from '#durable/hubs.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { type Db, createDriver, openDb } from '#db/client.ts'
import { deliverOutbox, selectDueEntries, selectEntriesAfter } from '#db/hub-outbox.ts'

/** Entries that are read at once. */
const PORTION = 200

interface Sweep {
  /** Includes entries that are not due yet: a restart has lost their delivery. */
  readonly all?: boolean
}

/** Delivers due entries of the hub outbox. */
export const sweepHubOutbox = (env: Env, runId: string, sweep: Sweep = {}): Promise<void> =>
  sweepEntries(openDb(createDriver(env)), createHubs(env, runId), sweep)

export const sweepEntries = (db: Db, hubs: Hubs, { all = false }: Sweep = {}): Promise<void> =>
  all ? sweepAll(db, hubs) : sweepDue(db, hubs)

/** Portion after portion while hubs answer. Where some fail the rest waits for the next sweep, which must not overlap. */
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
