import { and, count, eq, isNull, sql } from 'drizzle-orm'
import { isOneOf } from '../../db/columns.ts'
import type { Db } from '../../db/client.ts'
import { sessions } from '../../db/schema/accounts.ts'
import { routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { messages } from '../../db/schema/notices.ts'

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
        state: {
          presence: routerStates.presence,
          presenceSince: routerStates.presenceSince,
          presenceReason: routerStates.presenceReason,
          lastSeenAt: routerStates.lastSeenAt,
          configState: routerStates.configState,
          configVersion: routerStates.configVersion,
          configAppliedVersion: routerStates.configAppliedVersion,
          configReason: routerStates.configReason,
          configAt: routerStates.configAt,
        },
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

/** Id of a router the caller may watch; `networkNumbers` null for all of the account's. */
export async function watchableRouter(
  db: Db,
  accountId: number,
  routerName: string,
  networkNumbers: readonly string[] | null,
): Promise<number | null> {
  const covered = db
    .select({ one: sql`1` })
    .from(networkMembers)
    .innerJoin(networks, eq(networks.id, networkMembers.networkId))
    .where(and(eq(networkMembers.routerId, routers.id), isOneOf(networks.number, networkNumbers ?? [])))
  const [row] = await db
    .select({ id: routers.id })
    .from(routers)
    .where(
      and(
        eq(routers.accountId, accountId),
        eq(routers.name, routerName),
        networkNumbers === null ? undefined : sql`exists ${covered}`,
      ),
    )
  return row?.id ?? null
}

/** Id of a network of the account. */
export async function watchableNetwork(db: Db, accountId: number, networkNumber: string): Promise<number | null> {
  const [row] = await db
    .select({ id: networks.id })
    .from(networks)
    .where(and(eq(networks.accountId, accountId), eq(networks.number, networkNumber)))
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
