import { and, eq, sql } from 'drizzle-orm'
import type { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains } from '#db/columns.ts'
import { routers } from '#db/schema/routers.ts'
import { bandwidthPools, saasDevices } from '#db/schema/saas.ts'
import { selectSoldDevices } from '#features/saas/sql.ts'

/* Statements that read bandwidth pools and their devices. */

const poolColumns = {
  id: bandwidthPools.id,
  name: bandwidthPools.name,
  max: bandwidthPools.max,
  total: sql<number>`(select count(*) from saas_devices d where d.pool_id = ${bandwidthPools.id}
    and d.account_id = ${bandwidthPools.accountId})`.as('total'),
}

export const selectPools = (db: Db, { accountId }: Scope, search: string) =>
  db
    .select(poolColumns)
    .from(bandwidthPools)
    .where(
      and(eq(bandwidthPools.accountId, accountId), search === '' ? undefined : contains(bandwidthPools.name, search)),
    )
    .orderBy(bandwidthPools.name)

export const selectPool = (db: Db, { accountId }: Scope, id: number) =>
  db
    .select(poolColumns)
    .from(bandwidthPools)
    .where(and(eq(bandwidthPools.accountId, accountId), eq(bandwidthPools.id, id)))

type DeviceFilter = Pick<Parsed<typeof bandwidthPoolApi.router>, 'pool_id' | 'search' | 'country'>

export const selectPoolDevices = (db: Db, scope: Scope, { pool_id: poolId, search, country }: DeviceFilter) =>
  selectSoldDevices(
    db,
    scope,
    and(
      eq(saasDevices.poolId, poolId),
      country === '' ? undefined : eq(saasDevices.country, country),
      search === '' ? undefined : sql`(${contains(routers.name, search)} or ${contains(routers.note, search)})`,
    ),
  ).orderBy(routers.name)
