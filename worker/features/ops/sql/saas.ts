import { and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { routers } from '#db/schema/routers.ts'
import { bandwidthPools, saasDevices } from '#db/schema/saas.ts'

/* Operator's statements on sold SaaS devices and bandwidth pools. */

/** Claimed device by its serial, with its sale, the maximum of its pool, and the pool of this name in its account. */
export const selectSoldDevice = (db: Db, serial: string, pool = '') =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      hub: routers.hub,
      maxBandwidth: sql<number | null>`${saasDevices.maxBandwidth}`.as('max_bandwidth'),
      tempBandwidth: saasDevices.tempBandwidth,
      poolMax: sql<number | null>`${bandwidthPools.max}`.as('pool_max'),
      namedPoolId: sql<number | null>`(select id from bandwidth_pools n
        where n.account_id = ${routers.accountId} and n.name = ${pool})`.as('named_pool_id'),
      namedPoolMax: sql<number | null>`(select max from bandwidth_pools n
        where n.account_id = ${routers.accountId} and n.name = ${pool})`.as('named_pool_max'),
    })
    .from(routers)
    .leftJoin(saasDevices, eq(saasDevices.routerId, routers.id))
    .leftJoin(bandwidthPools, eq(bandwidthPools.id, saasDevices.poolId))
    .where(and(eq(routers.name, serial), eq(routers.routerType, ROUTER_TYPE.hardware)))

type Sold = Omit<typeof saasDevices.$inferInsert, 'tempBandwidth' | 'tempStartAt' | 'tempExpireAt'>

/** Saves the sale of a device; its temporary bandwidth stays. */
export function saveSaasDevice(db: Db, row: Sold) {
  const { routerId: _, createdAt: __, ...set } = row
  return db.insert(saasDevices).values(row).onConflictDoUpdate({ target: saasDevices.routerId, set })
}

export const updateTemporary = (
  db: Db,
  { accountId, routerId }: { readonly accountId: number; readonly routerId: number },
  term: { readonly tempBandwidth: number; readonly tempStartAt: number; readonly tempExpireAt: number },
) =>
  db
    .update(saasDevices)
    .set(term)
    .where(and(eq(saasDevices.accountId, accountId), eq(saasDevices.routerId, routerId)))

export const selectPool = (db: Db, accountId: number, name: string) =>
  db
    .select({
      id: bandwidthPools.id,
      max: bandwidthPools.max,
      used: sql<number>`(select coalesce(max(max(d.bandwidth, coalesce(d.temp_bandwidth, 0))), 0)
        from saas_devices d where d.pool_id = ${bandwidthPools.id})`.as('used'),
    })
    .from(bandwidthPools)
    .where(and(eq(bandwidthPools.accountId, accountId), eq(bandwidthPools.name, name)))

export const savePool = (db: Db, row: typeof bandwidthPools.$inferInsert) =>
  db
    .insert(bandwidthPools)
    .values(row)
    .onConflictDoUpdate({ target: [bandwidthPools.accountId, bandwidthPools.name], set: { max: row.max } })
    .returning({ id: as(bandwidthPools.id, 'id') })

/** Guard: the maximum of the pool has not dropped below this bandwidth. */
export const guardPool = (db: Db, poolId: number, bandwidth: number) =>
  guard(
    db,
    sql`exists (select 1 from bandwidth_pools where id = ${poolId} and max >= ${bandwidth})`,
    violation('BANDWIDTH_CHANGED'),
  )

/** Guard before `savePool`: no device of the pool has more. */
export const guardPoolDevices = (db: Db, poolId: number, max: number) =>
  guard(
    db,
    sql`not exists (select 1 from saas_devices where pool_id = ${poolId}
      and max(bandwidth, coalesce(temp_bandwidth, 0)) > ${max})`,
    violation('BANDWIDTH_CHANGED'),
  )
