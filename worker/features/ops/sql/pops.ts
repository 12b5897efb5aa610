import { and, asc, eq, sql } from 'drizzle-orm'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { popNodes, pops } from '#db/schema/pop.ts'
import { stateColumns } from '#features/router/sql/columns.ts'

/* Operator's statements on POP areas and their nodes. */

export const insertPop = (db: Db, row: typeof pops.$inferInsert) =>
  db.insert(pops).values(row).returning({ id: pops.id })

export const selectPop = (db: Db, name: string) =>
  db.select({ id: pops.id, name: pops.name, status: pops.status }).from(pops).where(eq(pops.name, name))

export const updatePop = (db: Db, id: number, set: Partial<Pick<typeof pops.$inferInsert, 'name' | 'status'>>) =>
  db.update(pops).set(set).where(eq(pops.id, id))

export const selectNodeDevice = (db: Db, serial: string) =>
  db
    .select({ id: routers.id, name: routers.name, hub: routers.hub })
    .from(routers)
    .where(and(eq(routers.name, serial), eq(routers.routerType, ROUTER_TYPE.hardware)))

/** Nodes by area, with the number of networks that they carry and the last state of their devices. */
export const selectNodeStates = (db: Db) =>
  db
    .select({
      serial: as(routers.name, 'serial'),
      name: pops.name,
      status: popNodes.status,
      networks: sql<number>`(select count(*) from pop_members m where m.router_id = pop_nodes.router_id
        /* every account */)`.as('networks'),
      refused: routerStates.configRefused,
      state: stateColumns,
    })
    .from(popNodes)
    .innerJoin(pops, eq(pops.id, popNodes.popId))
    .innerJoin(routers, eq(routers.id, popNodes.routerId))
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .orderBy(asc(pops.name), asc(popNodes.id))
    .limit(ROWS_MAX)

/** Saves a node. A device is a node of one area; saved again, it moves to this area. */
export const saveNode = (db: Db, row: Omit<typeof popNodes.$inferSelect, 'id'>) =>
  db
    .insert(popNodes)
    .values(row)
    .onConflictDoUpdate({ target: popNodes.routerId, set: { popId: row.popId, status: row.status } })

/** Guards before `saveNode`: a node is a member of no network, and serves none in another area. */
export const guardNode = (db: Db, routerId: number, popId: number) => ({
  member: guard(
    db,
    sql`not exists (select 1 from network_members where router_id = ${routerId})`,
    violation('POP_NODE_IS_MEMBER'),
  ),
  area: guard(
    db,
    sql`not exists (select 1 from pop_members m join network_fr_areas a on a.id = m.area_id
      where m.router_id = ${routerId} and a.pop_id <> ${popId})`,
    violation('POP_NODE_IN_USE'),
  ),
})
