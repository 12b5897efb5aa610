import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { isOneOf } from './columns.ts'
import { routers } from './schema/routers.ts'
import { networkMembers, networks } from './schema/networks.ts'
import { networkFrs } from './schema/pop.ts'

/* Scopes in SQL: the networks, routers and POP resources that a caller may see. */

/** Scope of networks by account and role; every query of a network contains it. */
export function networkScope({ accountId, grants }: Scope): SQL | undefined {
  const own = eq(networks.accountId, accountId)
  return grants.networks === null ? own : and(own, isOneOf(networks.number, grants.networks))
}

/** Scope of routers by account and role. A limited role sees those of its networks, and those it took out. */
export function routerScope(db: Db, scope: Scope): SQL | undefined {
  const own = eq(routers.accountId, scope.accountId)
  if (scope.grants.networks === null) return own
  const covered = db
    .select({ id: networkMembers.routerId })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(networkScope(scope))
  const isLeft = sql`(${isOneOf(routers.leftNetwork, scope.grants.networks)}
    and not exists (select 1 from network_members where network_members.router_id = ${routers.id}))`
  return and(own, sql`(${routers.id} in ${covered} or ${isLeft})`)
}

/** 1 if a router is also in a network outside the role. The role sees such a member, but may not change it. */
export function isShared({ grants }: Scope): SQL<0 | 1> {
  if (grants.networks === null) return sql<0 | 1>`0`
  return sql<0 | 1>`exists (select 1 from network_members held join networks other on other.id = held.network_id
    where held.router_id = ${routers.id} and other.number not in (select value from json_each(${JSON.stringify(grants.networks)})))`
}

/** Scope of POP resources: all of the account, or those that the networks of a limited role use. */
export function frScope(scope: Scope): SQL | undefined {
  const own = eq(networkFrs.accountId, scope.accountId)
  if (scope.grants.networks === null) return own
  return and(
    own,
    sql`${networkFrs.id} in (select fr_id from networks where ${networkScope(scope)} and fr_id is not null)`,
  )
}

/** 1 if the router is a node of a POP area. Nodes belong to the operator and are members of no network. */
export const isPopNode = sql<0 | 1>`exists (select 1 from pop_nodes where pop_nodes.router_id = ${routers.id})`
