import { type SQL, and, eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { as } from './columns.ts'
import { guard } from './guard.ts'
import { stateColumns } from './router-state.ts'
import { isRouterNamed } from './routers.ts'
import { routerStates, routers } from './schema/routers.ts'
import { bandwidthPools, saasDevices } from './schema/saas.ts'
import { isShared, routerScope } from './scope.ts'

/** What decides the bandwidth of a SaaS device (domain/saas/bandwidth.ts); all null beside a router that is none. */
export const termColumns = {
  bandwidth: as(saasDevices.bandwidth, 'saas_bandwidth'),
  expireAt: as(saasDevices.expireAt, 'saas_expire_at'),
  tempBandwidth: saasDevices.tempBandwidth,
  tempStartAt: saasDevices.tempStartAt,
  tempExpireAt: saasDevices.tempExpireAt,
}

const soldColumns = {
  ...termColumns,
  router_name: as(routers.name, 'router_name'),
  note: routers.note,
  note_revision: as(routers.noteRevision, 'note_revision'),
  group: as(saasDevices.groupName, 'saas_group'),
  share: saasDevices.share,
  ownMax: as(saasDevices.maxBandwidth, 'own_max'),
  poolMax: sql<number | null>`${bandwidthPools.max}`.as('pool_max'),
  poolName: sql<string>`coalesce(${bandwidthPools.name}, '')`.as('pool_name'),
  country: saasDevices.country,
  interfaces: sql<string>`coalesce(${routerStates.interfaces}, '[]')`.as('interfaces'),
  state: stateColumns,
}

/** SaaS devices of the caller's scope with what was sold of them. */
export const selectSoldDevices = (db: Db, scope: Scope, where: SQL | undefined) =>
  db
    .select({ ...soldColumns, shared: isShared(scope).as('shared') })
    .from(saasDevices)
    .innerJoin(routers, eq(routers.id, saasDevices.routerId))
    .leftJoin(bandwidthPools, eq(bandwidthPools.id, saasDevices.poolId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(eq(saasDevices.accountId, scope.accountId), routerScope(db, scope), where))

/** One device, as a write of its bandwidth needs it. */
export const selectDeviceToEdit = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      hub: routers.hub,
      share: saasDevices.share,
      bandwidth: saasDevices.bandwidth,
      expireAt: saasDevices.expireAt,
      maxBandwidth: saasDevices.maxBandwidth,
      poolMax: sql<number | null>`${bandwidthPools.max}`.as('pool_max'),
      poolId: saasDevices.poolId,
      shared: isShared(scope).as('shared'),
    })
    .from(saasDevices)
    .innerJoin(routers, eq(routers.id, saasDevices.routerId))
    .leftJoin(bandwidthPools, eq(bandwidthPools.id, saasDevices.poolId))
    .where(and(eq(saasDevices.accountId, scope.accountId), isRouterNamed(db, scope, name)))

interface BandwidthEdit {
  readonly id: number
  readonly accountId: number
  readonly bandwidth: number
}

/** In front of `updateBandwidth`: its maximum, its pool's and its term still allow it. */
export const guardBandwidth = (db: Db, { id, accountId, bandwidth }: BandwidthEdit, now: number) =>
  guard(
    db,
    sql`exists (select 1 from saas_devices d left join bandwidth_pools p on p.id = d.pool_id
      where d.account_id = ${accountId} and d.router_id = ${id} and d.max_bandwidth >= ${bandwidth}
        and coalesce(p.max, ${bandwidth}) >= ${bandwidth} and d.expire_at > ${now})`,
    violation('BANDWIDTH_CHANGED'),
  )

export const updateBandwidth = (db: Db, { id, accountId, bandwidth }: BandwidthEdit) =>
  db
    .update(saasDevices)
    .set({ bandwidth })
    .where(and(eq(saasDevices.accountId, accountId), eq(saasDevices.routerId, id)))
