import { type SQL, sql } from 'drizzle-orm'
import { type AuditEntry, type CronRun, auditSystemRows } from '#db/audit.ts'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import { hubsOfFrs } from './nodes.ts'

const LAPSED: Omit<AuditEntry, 'target'> = {
  module: 'network_fr',
  action: 'lapse',
  message: 'POP资源“{name}”已到期，其区域已从设备配置中移除',
}
/** Resources that one run ends; the next run takes the rest. */
const PORTION = 20

/** Networks of these resources are read anew, with the refresh of all hubs that their documents concern. */
const refreshFrs = (db: Db, frIds: SQL, now: number) => ({
  hubs: insertOutboxFrom(db, hubsOfFrs(frIds), now),
  networks: db.run(sql`update networks set revision = revision + 1 where fr_id in (${frIds})`),
})

/** Takes resources whose term is over out of all documents, once: a column and not the clock decides what these name. */
export function updateLapsed(db: Db, run: CronRun) {
  const due = sql`select id from network_frs where lapsed = 0 and expire_at <= ${run.now} order by expire_at limit ${PORTION}`
  return {
    ...refreshFrs(db, due, run.now),
    audit: auditSystemRows(
      db,
      run,
      LAPSED,
      sql`select account_id, name as target, name from network_frs where id in (${due}) and status = 1`,
    ),
    frs: db.run(sql`update network_frs set lapsed = 1 where id in (${due})`),
  }
}

/** Gives a resource another end, and its areas back to the documents. */
export const renewFr = (
  db: Db,
  { accountId, frId, expireAt }: { readonly accountId: number; readonly frId: number; readonly expireAt: number },
) =>
  db.run(
    sql`update network_frs set expire_at = ${expireAt}, lapsed = 0 where account_id = ${accountId} and id = ${frId}`,
  )
