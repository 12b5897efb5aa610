import { type SQL, and, desc, eq, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { isRouterNamed } from '#features/router/sql/routers.ts'
import { devices, routerStates, routers, connectionLogs } from '#db/schema/routers.ts'
import { saasDevices, bandwidthPools } from '#db/schema/saas.ts'
import { isShared, routerScope } from '#db/scope.ts'
import { stateColumns, namedBy } from '#features/router/sql/columns.ts'

/* Statements on SaaS devices: their sale, bandwidth, facts, and presences. */

/** Columns that determine the bandwidth of a SaaS device (domain/saas/bandwidth.ts); all null for other routers. */
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

export const selectSoldDevices = (db: Db, scope: Scope, where: SQL | undefined) =>
  db
    .select({ ...soldColumns, shared: isShared(scope).as('shared') })
    .from(saasDevices)
    .innerJoin(routers, eq(routers.id, saasDevices.routerId))
    .leftJoin(bandwidthPools, eq(bandwidthPools.id, saasDevices.poolId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(eq(saasDevices.accountId, scope.accountId), routerScope(db, scope), where))

/** SaaS devices whose term ends before then, or is over. */
export const selectEndingDevices = (db: Db, scope: Scope, before: number) =>
  db
    .select({
      routerName: as(routers.name, 'router_name'),
      note: routers.note,
      expireAt: as(saasDevices.expireAt, 'saas_expire_at'),
    })
    .from(saasDevices)
    .innerJoin(routers, eq(routers.id, saasDevices.routerId))
    .where(and(eq(saasDevices.accountId, scope.accountId), routerScope(db, scope), lte(saasDevices.expireAt, before)))

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

type BandwidthEdit = Pick<typeof routers.$inferSelect, 'id' | 'accountId'> & { readonly bandwidth: number }

/** Guard before `updateBandwidth`: the device's maximum, its pool's and its term still allow the bandwidth. */
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

export const selectSaasDevices = (db: Db, scope: Scope, search: string) =>
  selectSoldDevices(db, scope, search === '' ? undefined : matches(search))
    .orderBy(saasDevices.groupName, routers.name)
    .limit(ROWS_MAX)

const matches = (search: string): SQL =>
  sql`(${contains(routers.name, search)} or ${contains(routers.note, search)} or ${contains(saasDevices.groupName, search)})`

export const selectSaasDevice = (db: Db, scope: Scope, name: string) =>
  selectSoldDevices(db, scope, namedBy(routers.name, [name]))

export const selectDeviceFacts = (db: Db, scope: Scope, name: string) =>
  db
    .select({
      hub: routers.hub,
      router_name: as(routers.name, 'router_name'),
      router_model: sql<string>`coalesce(${devices.model}, '')`.as('router_model'),
      router_mac: sql<string>`coalesce(${routerStates.mac}, '')`.as('router_mac'),
      version: sql<string>`coalesce(${routerStates.version}, '')`.as('version'),
    })
    .from(saasDevices)
    .innerJoin(routers, eq(routers.id, saasDevices.routerId))
    .leftJoin(devices, eq(devices.id, routers.deviceId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(eq(saasDevices.accountId, scope.accountId), isRouterNamed(db, scope, name)))

/** Presences of a device: each line that opens one, with the line of the same epoch that ends it. */
export function selectPresences(db: Db, scope: Scope, name: string, search: string) {
  const [began, ended] = [connectionLogs, alias(connectionLogs, 'ended')]
  const own = sql`(select ${routers.name} from ${routers} where ${isRouterNamed(db, scope, name)})`
  const found =
    search === '' ? undefined : sql`(${contains(began.localIp, search)} or ${contains(began.remoteIp, search)})`
  return db
    .select({
      ip: as(began.localIp, 'ip'),
      origin: as(began.remoteIp, 'origin'),
      startAt: as(began.at, 'start_at'),
      stopAt: sql<number | null>`${ended.at}`.as('stop_at'),
      upload: sql<number | null>`${ended.upload}`.as('sent'),
      download: sql<number | null>`${ended.download}`.as('received'),
    })
    .from(began)
    .leftJoin(
      ended,
      sql`${ended.id} = (select o.id from connection_logs o where o.router_name = ${began.routerName}
        and o.epoch = ${began.epoch} and o.online = 0 and o.at >= ${began.at} order by o.at limit 1)`,
    )
    .where(and(eq(began.accountId, scope.accountId), sql`${began.routerName} = ${own}`, eq(began.online, 1), found))
    .orderBy(desc(began.at), desc(began.id))
}
