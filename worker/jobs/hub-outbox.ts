import { createHubs } from '../../durable/hubs.ts'
import { driverOf, openDb } from '../db/client.ts'
import { deliverOutbox } from '../db/hub-outbox.ts'
import { selectDueEntries, selectEntriesAfter } from './queries.ts'

/** Entries that are delivered at once; a run takes one portion, a start takes them all. */
const PORTION = 200

/** Delivers entries of the hub outbox that are due. With `all` also those that are not: a restart has lost their delivery. */
export async function sweepHubOutbox(env: Env, { all = false }: { readonly all?: boolean } = {}): Promise<void> {
  const db = openDb(driverOf(env))
  const hubs = createHubs(env)
  if (!all) return deliverOutbox(db, hubs, await selectDueEntries(db, Date.now(), PORTION), Date.now())
  for (let after = ''; ;) {
    const entries = await selectEntriesAfter(db, after, PORTION)
    const last = entries.at(-1)
    if (!last) return
    await deliverOutbox(db, hubs, entries, Date.now())
    after = last.id
  }
}
