import { and, count, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { sessions } from '../../db/schema/accounts.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { messages } from '../../db/schema/notices.ts'
import { stateColumns } from '../../db/router-state.ts'
import { networkScope, routerScope } from '../../db/scope.ts'
import type { Scope } from '../../contract/session.ts'

/** A network with its members and their stored states, in one round trip: what a NetworkHub projects. */
export async function networkRows(db: Db, networkId: number) {
  const [[network], members] = await db.batch([
    db
      .select({ accountId: networks.accountId, number: networks.number, name: networks.name })
      .from(networks)
      .where(eq(networks.id, networkId)),
    db
      .select({
        routerId: networkMembers.routerId,
        routerName: routers.name,
        routerType: routers.routerType,
        memberType: networkMembers.memberType,
        state: stateColumns,
      })
      .from(networkMembers)
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(eq(networkMembers.networkId, networkId))
      .orderBy(networkMembers.id),
  ])
  return { network: network ?? null, members }
}

export async function unreadCount(db: Db, accountId: number): Promise<number> {
  const [row] = await db
    .select({ unread: count() })
    .from(messages)
    .where(and(eq(messages.accountId, accountId), eq(messages.status, 0)))
  return row?.unread ?? 0
}

/** Id of a router the caller may watch. */
export async function watchableRouter(db: Db, scope: Scope, routerName: string): Promise<number | null> {
  const [row] = await db
    .select({ id: routers.id })
    .from(routers)
    .where(and(routerScope(db, scope), eq(routers.name, routerName)))
  return row?.id ?? null
}

/** Id of a network the caller may watch. */
export async function watchableNetwork(db: Db, scope: Scope, networkNumber: string): Promise<number | null> {
  const [row] = await db
    .select({ id: networks.id })
    .from(networks)
    .where(and(networkScope(scope), eq(networks.number, networkNumber)))
  return row?.id ?? null
}

/** For the one call that proves itself by its query and so has no guard riding ahead. */
export async function isSessionOpen(db: Db, { id, version }: { id: string; version: number }): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.version, version), isNull(sessions.endedAt)))
  return rows.length > 0
}
