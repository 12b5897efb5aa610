import { and, desc, eq, gt, sql, asc } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { contains } from '#db/columns.ts'
import { networks } from '#db/schema/networks.ts'
import { networkFrs, networkFrAreas, pops } from '#db/schema/pop.ts'
import { frScope, networkScope } from '#db/scope.ts'

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

export const selectFrs = (db: Db, scope: Scope, search: string) =>
  db
    .select({
      id: networkFrs.id,
      name: networkFrs.name,
      status: networkFrs.status,
      createdAt: networkFrs.createdAt,
      expireAt: networkFrs.expireAt,
      lapsed: networkFrs.lapsed,
      networks: sql<string>`(
        select json_group_array(json_object('network_name', networks.name, 'network_number', networks.number))
        from networks where networks.fr_id = network_frs.id and ${networkScope(scope)})`.as('networks'),
      areas: sql<string>`(
        select json_group_array(json_object('name', p.name, 'bandwidth', a.bandwidth))
        from network_fr_areas a join pops p on p.id = a.pop_id where a.fr_id = network_frs.id)`.as('areas'),
    })
    .from(networkFrs)
    .where(and(frScope(scope), search === '' ? undefined : contains(networkFrs.name, search)))
    .orderBy(desc(networkFrs.id))

export const selectNetworkMode = (db: Db, scope: Scope, number: string) =>
  db
    .select({ mode: networks.mode })
    .from(networks)
    .where(and(networkScope(scope), eq(networks.number, number)))

/** Resources that can be used now. */
export const selectUsableFrs = (db: Db, scope: Scope, now: number) =>
  db
    .select({ network_fr_id: networkFrs.id, name: networkFrs.name, shortname: networkFrs.shortname })
    .from(networkFrs)
    .where(and(frScope(scope), eq(networkFrs.status, 1), gt(networkFrs.expireAt, now)))
    .orderBy(desc(networkFrs.id))
