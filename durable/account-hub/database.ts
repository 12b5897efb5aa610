import { and, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { HubName } from '../../worker/contract/hubs.ts'
import { openPrimary } from '../../worker/db/client.ts'
import { as } from '../../worker/db/columns.ts'
import { accounts, sessions } from '../../worker/db/schema/accounts.ts'
import { routerStates, routers } from '../../worker/db/schema/members.ts'
import { networks } from '../../worker/db/schema/networks.ts'
import { messages } from '../../worker/db/schema/notices.ts'
import { PRESENT_STATES } from '../../worker/domain/health/member.ts'

export interface AccountFacts {
  readonly accountId: number
  readonly unread: number
  /** Watching sessions that are no longer open, and all that ended since the given time. */
  readonly endedSessions: readonly string[]
  readonly networkHubs: readonly HubName[]
  /** Those of the asked hubs whose router is gone. */
  readonly deletedRouters: readonly HubName[]
}

interface Question {
  readonly watching: readonly string[]
  readonly endedSince: number
  readonly routerHubs: readonly HubName[]
}

/** Rows of an account's hub, in one round trip; null when the account is deleted. */
export async function readAccount(
  env: Env,
  hub: HubName,
  { watching, endedSince, routerHubs }: Question,
): Promise<AccountFacts | null> {
  const db = openPrimary(env)
  const [[account], [unread], closed, ended, known, deleted] = await db.batch([
    db.select({ id: accounts.id }).from(accounts).where(eq(accounts.hub, hub)),
    db
      .select({ count: count() })
      .from(messages)
      .innerJoin(accounts, eq(accounts.id, messages.accountId))
      .where(and(eq(accounts.hub, hub), eq(messages.status, 0))),
    db.all<[string]>(
      sql`select value from json_each(${JSON.stringify(watching)}) where value not in (
        select s.id from sessions s join accounts a on a.id = s.account_id
        where a.hub = ${hub} and s.ended_at is null)`,
    ),
    db
      .select({ id: sessions.id })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(and(eq(accounts.hub, hub), gt(sessions.endedAt, endedSince))),
    db
      .select({ hub: as(networks.hub, 'network_hub') })
      .from(networks)
      .innerJoin(accounts, eq(accounts.id, networks.accountId))
      .where(eq(accounts.hub, hub)),
    db.all<[HubName]>(
      sql`select value from json_each(${JSON.stringify(routerHubs)}) where value not in (
        select r.hub from routers r join accounts a on a.id = r.account_id where a.hub = ${hub})`,
    ),
  ])
  if (!account) return null
  const endedSessions = [...new Set([...closed.map(([id]) => id), ...ended.map(({ id }) => id)])]
  return {
    accountId: account.id,
    unread: unread?.count ?? 0,
    endedSessions,
    networkHubs: known.map((n) => n.hub),
    deletedRouters: deleted.map(([routerHub]) => routerHub),
  }
}

/** One page of the account's routers that the lists show as present, in order of `id`, each with how many there are in all. */
export function readPresentRouters(env: Env, hub: HubName, afterId: number, limit: number) {
  const db = openPrimary(env)
  const present = db
    .select({ id: routers.id, hub: as(routers.hub, 'router_hub'), total: sql<number>`count(*) over ()`.as('total') })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .innerJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(and(eq(accounts.hub, hub), inArray(routerStates.presence, PRESENT_STATES)))
    .as('present')
  return db.select().from(present).where(gt(present.id, afterId)).orderBy(present.id).limit(limit)
}
