import { and, eq } from 'drizzle-orm'
import type { Scope } from '../../contract/session.ts'
import type { Db } from '../../db/client.ts'
import { networks } from '../../db/schema/networks.ts'
import { networkFrAreas, networkFrs, pops } from '../../db/schema/pop.ts'
import { networkScope } from '../../db/scope.ts'

/** The POP resource of a network. */
export const selectFr = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: networkFrs.id, name: networkFrs.name, shortname: networkFrs.shortname })
    .from(networkFrs)
    .innerJoin(networks, eq(networks.frId, networkFrs.id))
    .where(and(networkScope(scope), eq(networks.number, number)))

/** Its areas, by their names. */
export const selectAreas = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: networkFrAreas.id, name: pops.name })
    .from(networkFrAreas)
    .innerJoin(networks, eq(networks.frId, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .where(and(networkScope(scope), eq(networks.number, number)))
