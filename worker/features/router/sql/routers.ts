import { type SQL, and, desc, eq, sql } from 'drizzle-orm'
import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { Violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { selectMembersWith } from '#features/network/sql/members.ts'
import { chosenAddresses } from '#features/network/sql/settings.ts'
import { guardRate, routerRateKey } from '#db/rate-limit.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { isPopNode, routerScope } from '#db/scope.ts'
import { ROUTER_RATE, SWITCH_RATE } from '#contract/router/limits.ts'
import { type RouterNames, namedBy } from './columns.ts'

/* Statements that read routers by name with their networks and fellow members, and change one router. */

export const isRouterNamed = (db: Db, scope: Scope, ...names: RouterNames) =>
  and(routerScope(db, scope), namedBy(routers.name, names))

export const selectRouterRows = (db: Db, scope: Scope, ...names: RouterNames) =>
  db
    .select({
      id: routers.id,
      accountId: routers.accountId,
      name: routers.name,
      hub: routers.hub,
      routerType: routers.routerType,
      note: routers.note,
      noteRevision: routers.noteRevision,
      status: routers.status,
      source: routers.source,
      isTunnel: sql<0 | 1>`exists (select 1 from ldap_configs where ldap_configs.router_id = ${routers.id})`.as(
        'is_tunnel',
      ),
      lastSeenAt: routerStates.lastSeenAt,
      vpn: routerStates.vpn,
      isNode: isPopNode.as('is_node'),
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(isRouterNamed(db, scope, ...names))

/** Networks of routers in the whole account; filter by the caller's scope before answering. */
export const selectNetworksByRouter = (db: Db, scope: Scope, ...names: RouterNames) =>
  db
    .select({
      routerId: networkMembers.routerId,
      id: networks.id,
      number: networks.number,
      hub: as(networks.hub, 'network_hub'),
      revision: networks.revision,
      status: as(networks.status, 'network_status'),
      name: as(networks.name, 'network_name'),
      memberType: networkMembers.memberType,
      segmentIndex: networkMembers.segmentIndex,
      host: networkMembers.host,
      gateway: chosenAddresses.gateway,
      memberCount: sql<number>`(select count(*) from network_members m where m.network_id = networks.id)`.as('members'),
      centerCount:
        sql<number>`(select count(*) from network_members m where m.network_id = networks.id and m.member_type = 'center')`.as(
          'centers',
        ),
    })
    .from(networkMembers)
    .innerJoin(routers, eq(routers.id, networkMembers.routerId))
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(isRouterNamed(db, scope, ...names))
    .orderBy(desc(networks.id))

/** Rate limit: one push and one report of a router in five seconds. Names outside the caller's scope use up nothing. */
export const guardRouterRate = (
  db: Db,
  scope: Scope,
  call: 'resend' | 'status' | 'switch',
  name: string,
  now: number,
) =>
  guardRate(
    db,
    routerRateKey(call, scope.accountId, name),
    call === 'switch' ? SWITCH_RATE : ROUTER_RATE,
    now,
    sql`exists (select 1 from routers where ${isRouterNamed(db, scope, name)})`,
  )

/** Members of all networks of these routers, in the whole account. */
export const selectMembersOfNetworksWith = (db: Db, scope: Scope, ...names: RouterNames) =>
  selectMembersWith(db, scope.accountId, namedBy(sql`r.name`, names))

/** True if a router that had this hub has another one now. */
export async function hasMoved(db: Db, hub: HubName): Promise<boolean> {
  const rows = await db.all<[number]>(sql`select 1 from routers where moved_from = ${hub}`)
  return rows.length > 0
}

export interface RouterKey {
  readonly accountId: number
  readonly id: number
}

export const updateRouter = (db: Db, { accountId, id }: RouterKey, columns: SQLiteUpdateSetSource<typeof routers>) =>
  db
    .update(routers)
    .set(columns)
    .where(and(eq(routers.accountId, accountId), eq(routers.id, id)))

/** Guard: the router still meets a condition that held when it was read. */
export const guardRouter = (db: Db, { accountId, id }: RouterKey, condition: SQL, refusal: Violation) =>
  guard(
    db,
    sql`exists (select 1 from routers where account_id = ${accountId} and id = ${id} and ${condition})`,
    refusal,
  )

/** State of a software member, which has no hub of its own; its time is later than that of every earlier state. */
export const updateSoftwarePresence = (
  db: Db,
  accountId: number,
  routerId: number,
  { presence, since }: { readonly presence: PresenceState; readonly since: number | null },
) =>
  db.run(sql`
    insert into router_states (router_id, presence, presence_since, notified_presence)
    select id, ${presence}, ${since}, 'never' from routers where account_id = ${accountId} and id = ${routerId}
    on conflict (router_id) do update set
      presence = excluded.presence, presence_reason = '',
      presence_since = max(excluded.presence_since, coalesce(router_states.presence_since, 0) + 1),
      notified_presence = coalesce(router_states.notified_presence, router_states.presence)`)
