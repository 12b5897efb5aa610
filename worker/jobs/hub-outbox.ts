import { createHubs } from '../../durable/hubs.ts'
import type { Hubs } from '../contract/hubs.ts'
import { type Db, createDriver, openDb } from '../db/client.ts'
import { deliverOutbox } from '../db/hub-outbox.ts'
import { selectDueEntries, selectEntriesAfter } from './queries.ts'

/** Entries that are delivered at once; a run takes one portion, a start takes them all. */
const PORTION = 200

interface Sweep {
  /** Also entries that are not due yet: a restart has lost their delivery. */
  readonly all?: boolean
}

/** Delivers due entries of the hub outbox. */
export const sweepHubOutbox = (env: Env, runId: string, sweep: Sweep = {}): Promise<void> =>
  sweepEntries(openDb(createDriver(env)), createHubs(env, runId), sweep)

export async function sweepEntries(db: Db, hubs: Hubs, { all = false }: Sweep = {}): Promise<void> {
  if (!all) return deliverOutbox(db, hubs, await selectDueEntries(db, Date.now(), PORTION), Date.now())
  for (let after = ''; ;) {
    const entries = await selectEntriesAfter(db, after, PORTION)
    const last = entries.at(-1)
    if (!last) return
    await deliverOutbox(db, hubs, entries, Date.now())
    after = last.id
  }
}
