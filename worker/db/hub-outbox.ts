import { sql } from 'drizzle-orm'
import type { HubTask } from '../contract/hubs.ts'
import { OUTBOX } from '../contract/limits.ts'
import type { Db } from './client.ts'

/** An entry of the hub outbox with the id of its row. */
export interface OutboxEntry extends HubTask {
  readonly id: string
}

/**
 * Statement that puts tasks into the hub outbox: part of the batch whose change they announce. The caller delivers them
 * after the batch has committed; the minute cron delivers what is left (jobs/hub-outbox.ts).
 */
export const insertOutboxEntries = (db: Db, entries: readonly OutboxEntry[], now: number) =>
  db.run(sql`
    insert into hub_outbox (id, kind, hub, op, due_at)
    select value ->> 'id', value ->> 'kind', value ->> 'hub', value ->> 'op', ${now + OUTBOX.sweepAfterMs}
    from json_each(${JSON.stringify(entries)})`)
