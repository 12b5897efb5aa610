import { and, desc, eq, gt, sql, asc, type SQL } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import { type AuditEntry, type CronRun, auditSystemRows } from '#db/audit.ts'
import type { Db } from '#db/client.ts'
import { contains } from '#db/columns.ts'
import { insertOutboxFrom } from '#db/hub-outbox.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrs, networkFrAreas, pops } from '#db/schema/pop.ts'
import { frScope, networkScope } from '#db/scope.ts'
import { revokeLeft } from '#features/network/sql/revocations.ts'
import { hubsOfFrs } from './nodes.ts'

/* Statements on POP resources of accounts: lists, areas, end of the term, renewal. */

export const selectNetworkAreas = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: networkFrAreas.id, name: pops.name, expireAt: networkFrs.expireAt, lapsed: networkFrs.lapsed })
    .from(networkFrAreas)
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(networks, eq(networks.frId, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(asc(networkFrAreas.id))

export const selectFrs = (db: Db, scope: Scope, search: string) =>
  db
    .select({
      network_fr_id: networkFrs.id,
      name: networkFrs.name,
      status: networkFrs.status,
      create_time: networkFrs.createdAt,
      expireAt: networkFrs.expireAt,
      lapsed: networkFrs.lapsed,
      networks: sql<string>`(
        select json_group_array(json_object('network_name', networks.name, 'network_number', networks.number))
        from networks where networks.fr_id = network_frs.id and ${networkScope(scope)})`.as('networks'),
      areas: sql<string>`(
        select json_group_array(json_object('name', p.name, 'bandwidth', a.bandwidth))
        from network_fr_areas a join pops p on p.id = a.pop_id where a.fr_id = network_frs.id)`.as('areas'),
    })
    .from(networkFrs)
    .where(and(frScope(scope), search === '' ? undefined : contains(networkFrs.name, search)))
    .orderBy(desc(networkFrs.id))

export const selectNetworkMode = (db: Db, scope: Scope, number: string) =>
  db
    .select({ mode: networks.mode })
    .from(networks)
    .where(and(networkScope(scope), eq(networks.number, number)))

export const selectUsableFrs = (db: Db, scope: Scope, now: number) =>
  db
    .select({ network_fr_id: networkFrs.id, name: networkFrs.name, shortname: networkFrs.shortname })
    .from(networkFrs)
    .where(and(frScope(scope), eq(networkFrs.status, 1), gt(networkFrs.expireAt, now)))
    .orderBy(desc(networkFrs.id))

const LAPSED: Omit<AuditEntry, 'target'> = {
  module: 'network_fr',
  action: 'lapse',
  message: 'POP资源“{name}”已到期，其区域已从设备配置中移除',
}
/** Number of resources that one run ends; the next run takes the rest. */
const PORTION = 20

/** Makes networks of these resources change their revision, and refreshes all hubs whose documents name them. */
const refreshFrs = (db: Db, frIds: SQL, now: number) => ({
  hubs: insertOutboxFrom(db, hubsOfFrs(frIds), now),
  networks: db.run(sql`update networks set revision = revision + 1 where fr_id in (${frIds})`),
})

/** Ends resources after their term, once. Documents look at the column `lapsed`, not at the clock. */
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
    ...revokeLeft(db, sql`select id from networks where fr_id in (${due})`, run.now),
    frs: db.run(sql`update network_frs set lapsed = 1 where id in (${due})`),
  }
}

/** Sets the end of a resource's term, and returns its areas to the documents. */
export const renewFr = (
  db: Db,
  { accountId, frId, expireAt }: { readonly accountId: number; readonly frId: number; readonly expireAt: number },
) =>
  db.run(
    sql`update network_frs set expire_at = ${expireAt}, lapsed = 0 where account_id = ${accountId} and id = ${frId}`,
  )
