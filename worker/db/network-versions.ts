import { and, desc, eq, gte, sql } from 'drizzle-orm'
import { NETWORK } from '../contract/limits.ts'
import type { Scope } from '../contract/session.ts'
import { type AuditContext, toActor } from './audit.ts'
import type { Statements } from './batch.ts'
import type { Db } from './client.ts'
import type { NetworkKey } from './network-settings.ts'
import { networks } from './schema/networks.ts'
import { networkVersions } from './schema/settings.ts'
import { networkScope } from './scope.ts'

/**
 * A version of a network's settings, in the batch that changes them; the oldest beyond the limit goes. The first one of a
 * network comes behind one without changes, so that what was before it can be restored. Behind the statement that bumps the network.
 */
export function insertVersion(
  ctx: AuditContext,
  { accountId, number }: NetworkKey,
  changes: readonly unknown[],
): Statements {
  const { db, now } = ctx
  if (changes.length === 0) return {}
  const { kind, name } = toActor(ctx)
  const isNetwork = sql`n.account_id = ${accountId} and n.number = ${number}`
  const last = sql`(select max(v.version) from network_versions v where v.network_id = n.id)`
  return {
    firstVersion: db.run(sql`
      insert into network_versions (account_id, network_id, version, changes, actor_kind, actor_name, at)
      select n.account_id, n.id, 1, '[]', 'system', '', n.created_at from networks n
      where ${isNetwork} and ${last} is null`),
    version: db.run(sql`
      insert into network_versions (account_id, network_id, version, changes, actor_kind, actor_name, at)
      select n.account_id, n.id, ${last} + 1, ${JSON.stringify(changes)}, ${kind}, ${name}, ${now} from networks n
      where ${isNetwork}`),
    oldVersions: db.run(sql`
      delete from network_versions where account_id = ${accountId}
        and network_id = (select n.id from networks n where ${isNetwork})
        and version <= (select ${last} from networks n where ${isNetwork}) - ${NETWORK.versionsKept}`),
  }
}

/** What a list shows, newest first. */
export const selectVersions = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      version: networkVersions.version,
      words: sql<string>`(select json_group_array(json(e.value -> 'words')) from json_each(${networkVersions.changes}) e
        where e.value -> 'words' is not null)`.as('words'),
      actorKind: networkVersions.actorKind,
      actorName: networkVersions.actorName,
      at: networkVersions.at,
    })
    .from(networkVersions)
    .innerJoin(networks, eq(networks.id, networkVersions.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(desc(networkVersions.version))

/** Versions with their values, from one on. */
export const selectVersionsFrom = (db: Db, scope: Scope, number: string, from: number) =>
  db
    .select({ version: networkVersions.version, at: networkVersions.at, changes: networkVersions.changes })
    .from(networkVersions)
    .innerJoin(networks, eq(networks.id, networkVersions.networkId))
    .where(and(networkScope(scope), eq(networks.number, number), gte(networkVersions.version, from)))
