import { type SQL, and, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { namedBy } from '#db/router-names.ts'
import { isRouterNamed } from '#db/routers.ts'
import { selectSoldDevices } from '#db/saas.ts'
import { connectionLogs } from '#db/schema/connection-logs.ts'
import { devices, routerStates, routers } from '#db/schema/routers.ts'
import { saasDevices } from '#db/schema/saas.ts'

export const selectSaasDevices = (db: Db, scope: Scope, search: string) =>
  selectSoldDevices(db, scope, search === '' ? undefined : matches(search))
    .orderBy(saasDevices.groupName, routers.name)
    .limit(ROWS_MAX)

const matches = (search: string): SQL =>
  sql`(${contains(routers.name, search)} or ${contains(routers.note, search)} or ${contains(saasDevices.groupName, search)})`

export const selectSaasDevice = (db: Db, scope: Scope, name: string) =>
  selectSoldDevices(db, scope, namedBy(routers.name, [name]))

/** Hub of a device, and facts that the device reports about itself. */
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

/** Presences of a device: a line that opens one, with the line of the same epoch that ends it. */
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
