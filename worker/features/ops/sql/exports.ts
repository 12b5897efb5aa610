import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { ACCOUNT_TABLES, type AccountTable } from '#db/schema/account-tables.ts'
import type { Db } from '#db/client.ts'
import { files } from '#db/schema/files.ts'
import { networks } from '#db/schema/networks.ts'
import { routers } from '#db/schema/routers.ts'

/* Statements of exports: rows of an account by table, its file, and its hubs. */

/** Numbers of rows of an account, by table. */
export const selectCounts = (db: Db, accountId: number) =>
  Object.fromEntries(
    ACCOUNT_TABLES.map(({ name, rows }) => [
      name,
      db.all<[number]>(sql`select count(*) from ${sql.identifier(name)} where ${rows(accountId)}`),
    ]),
  )

/** Names of the columns of a table that an export shows. */
export const exportedColumns = ({ exported }: AccountTable): readonly string[] => exported.split(' ')

type Value = string | number | null
export type ExportedRow = [id: number, value: number, ...exported: Value[]]

/** Rows behind a cursor, each behind its id and its value of the column that orders the pages. */
export function selectExported(
  db: Db,
  table: AccountTable,
  accountId: number,
  [value, id]: readonly [value: number, id: number],
  limit: number,
) {
  const [order, behind] =
    table.pagedBy === undefined
      ? [sql`rowid`, sql`rowid > ${id}`]
      : [
          sql`${sql.identifier(table.pagedBy)}, rowid`,
          sql`${sql.identifier(table.pagedBy)} >= ${value} and (${sql.identifier(table.pagedBy)} > ${value} or rowid > ${id})`,
        ]
  const columns = exportedColumns(table).map((column) => sql`${sql.identifier(column)}`)
  const paged = table.pagedBy === undefined ? sql`0` : sql.identifier(table.pagedBy)
  return db.all<ExportedRow>(sql`
    select rowid as cursor_id, ${paged} as cursor_value, ${sql.join(columns, sql`, `)}
    from ${sql.identifier(table.name)} where ${table.rows(accountId)} and ${behind} order by ${order} limit ${limit}`)
}

export const selectFile = (db: Db, accountId: number, key: string) =>
  db
    .select({ name: files.name, type: files.type })
    .from(files)
    .where(and(eq(files.accountId, accountId), eq(files.key, key)))

/** The next device of an account, with its networks. */
export const selectNextRouter = (db: Db, accountId: number, afterId: number) =>
  db
    .select({
      id: routers.id,
      name: routers.name,
      hub: routers.hub,
      isSaas: sql<0 | 1>`exists (select 1 from saas_devices d where d.router_id = routers.id)`.as('is_saas'),
      networks: sql<string>`(select json_group_array(json_array(n.hub, n.revision)) from network_members m
        join networks n on n.id = m.network_id where m.router_id = routers.id)`.as('joined'),
    })
    .from(routers)
    .where(and(eq(routers.accountId, accountId), eq(routers.routerType, ROUTER_TYPE.hardware), gt(routers.id, afterId)))
    .orderBy(asc(routers.id))
    .limit(1)

export type JoinedNetwork = readonly [hub: HubName, revision: number]

export const selectNextNetwork = (db: Db, accountId: number, afterId: number) =>
  db
    .select({ id: networks.id, number: networks.number, hub: networks.hub })
    .from(networks)
    .where(and(eq(networks.accountId, accountId), gt(networks.id, afterId)))
    .orderBy(asc(networks.id))
    .limit(1)
