import { and, eq, gt, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs } from '#db/schema/pop.ts'
import { frScope, networkScope } from '#db/scope.ts'

const termColumns = { expireAt: networkFrs.expireAt, lapsed: networkFrs.lapsed }

/** The POP resource of a network, over or not. */
export const selectFr = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: networkFrs.id, name: networkFrs.name, shortname: networkFrs.shortname, ...termColumns })
    .from(networkFrs)
    .innerJoin(networks, eq(networks.frId, networkFrs.id))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** A resource by its id, unless it has expired or was withdrawn. */
export const selectUsableFr = (db: Db, scope: Scope, id: number, now: number) =>
  db
    .select({ id: networkFrs.id, name: networkFrs.name })
    .from(networkFrs)
    .where(and(frScope(scope), eq(networkFrs.id, id), eq(networkFrs.status, 1), gt(networkFrs.expireAt, now)))

/** Its areas with their bandwidth. */
export const selectFrAreas = (db: Db, scope: Scope, id: number) =>
  db
    .select({ id: networkFrAreas.id, popId: networkFrAreas.popId, bandwidth: networkFrAreas.bandwidth })
    .from(networkFrAreas)
    .where(and(eq(networkFrAreas.accountId, scope.accountId), eq(networkFrAreas.frId, id)))

/** Ids of its areas, for reads that have not found them yet. */
export const areasOfFr = (id: number) => sql`select pop_id from network_fr_areas where fr_id = ${id}`
