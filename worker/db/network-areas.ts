import { and, asc, eq } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { networks } from './schema/networks.ts'
import { networkFrAreas, networkFrs, pops } from './schema/pop.ts'
import { networkScope } from './scope.ts'

/** Areas of the POP resource that a network uses, by their names, with its term. */
export const selectNetworkAreas = (db: Db, scope: Scope, number: string) =>
  db
    .select({ id: networkFrAreas.id, name: pops.name, expireAt: networkFrs.expireAt, lapsed: networkFrs.lapsed })
    .from(networkFrAreas)
    .innerJoin(networkFrs, eq(networkFrs.id, networkFrAreas.frId))
    .innerJoin(networks, eq(networks.frId, networkFrAreas.frId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(asc(networkFrAreas.id))
