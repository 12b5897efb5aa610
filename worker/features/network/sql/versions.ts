import { type SQL, and, desc, eq, gte, sql } from 'drizzle-orm'
import type { MemberSetting } from '#contract/network/settings.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { type AuditActor, type AuditContext, toActor } from '#db/audit.ts'
import type { Statements } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { idList } from '#db/columns.ts'
import type { NetworkKey } from './settings.ts'
import { networks, networkVersions } from '#db/schema/networks.ts'
import { networkScope } from '#db/scope.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { MEMBER_FIELDS } from '#domain/network/history/named-members.ts'

/* SQL of a network's version history: new versions, lost settings of members, and reads. */

/**
 * Inserts a version of one network's settings, in the batch that changes them, after the bump of the network's revision.
 */
export const insertVersion = (
  ctx: AuditContext,
  { accountId, number }: NetworkKey,
  changes: readonly unknown[],
): Statements => insertVersions(ctx, accountId, [{ number, changes }])

/**
 * The same for several networks; the oldest versions beyond the limit are deleted. A first version follows an empty one, so
 * that the state before it can be restored. `actor` absent: the signed-in caller.
 */
export function insertVersions(
  ctx: AuditContext,
  accountId: number,
  networkChanges: readonly { readonly number: string; readonly changes: readonly unknown[] }[],
  actor?: Pick<AuditActor, 'kind' | 'name'>,
): Statements {
  const { db, now } = ctx
  const rows = networkChanges
    .filter(({ changes }) => changes.length > 0)
    .map(({ number, changes }) => [number, JSON.stringify(changes)])
  if (rows.length === 0) return {}
  const { kind, name } = actor ?? toActor(ctx)
  const changed = sql`from json_each(${JSON.stringify(rows)}) e
    join networks n on n.account_id = ${accountId} and n.number = e.value ->> 0`
  const last = (networkId: SQL) =>
    sql`(select max(v.version) from network_versions v where v.network_id = ${networkId})`
  return {
    firstVersion: db.run(sql`
      insert into network_versions (account_id, network_id, version, changes, actor_kind, actor_name, at)
      select n.account_id, n.id, 1, '[]', 'system', '', n.created_at ${changed}
      where ${last(sql`n.id`)} is null`),
    version: db.run(sql`
      insert into network_versions (account_id, network_id, version, changes, actor_kind, actor_name, at)
      select n.account_id, n.id, ${last(sql`n.id`)} + 1, ${withUids(sql`e.value ->> 1`, accountId)},
        ${kind}, ${name}, ${now} ${changed}`),
    oldVersions: db.run(sql`
      delete from network_versions where account_id = ${accountId} and network_id in (select n.id ${changed})
        and version <= ${last(sql`network_versions.network_id`)} - ${NETWORK.versionsKept}`),
  }
}

/** Changes, each with the keys of the members that it names: an undo restores a member under another id. */
const withUids = (changes: SQL, accountId: number): SQL => sql`(
  select json_group_array(json_set(c.value, '$.uids', json((
    select json_group_object(cast(r.id as text), coalesce(r.uid, r.hub)) from (
      select distinct t.value as id from json_tree(c.value) t where t.type = 'integer' and t.key in ${MEMBER_FIELDS}) named
    cross join routers r on r.id = named.id and r.account_id = ${accountId})))) from json_each(${changes}) c)`

/**
 * Adds the present settings of these members to the version of this batch, so that a restore can give them back. Runs after
 * the version's own statement, and before the one that deletes the settings.
 */
export const addLostSettings = (
  { db, now }: Pick<AuditContext, 'db' | 'now'>,
  { accountId, number }: NetworkKey,
  routerIds: readonly number[],
  kinds: readonly MemberSetting[],
) =>
  routerIds.length > 0 &&
  db.run(sql`
    update network_versions set changes = (
      select json_group_array(json(e.value)) from (
        select value from json_each(network_versions.changes)
        union all
        select json_object('setting', s.setting, 'router_id', s.router_id, 'before', json(s.value), 'after', null,
          'uids', json_object(cast(s.router_id as text), coalesce(r.uid, r.hub)))
        from member_settings s join routers r on r.id = s.router_id
        where s.account_id = ${accountId} and s.network_id = network_versions.network_id
          and s.router_id in (${idList(routerIds)}) and s.setting in ${kinds}) e)
    where account_id = ${accountId} and at = ${now}
      and network_id = (select id from networks where account_id = ${accountId} and number = ${number})
      and version = (select max(v.version) from network_versions v where v.network_id = network_versions.network_id)`)

/** Versions of a network for a list, newest first. */
export const selectVersions = (db: Db, scope: Scope, number: string) =>
  db
    .select({
      version: networkVersions.version,
      words: sql<string>`(select json_group_array(json(e.value -> 'words')) from json_each(${networkVersions.changes}) e
        where e.value -> 'words' is not null)`.as('words'),
      actorName: networkVersions.actorName,
      at: networkVersions.at,
    })
    .from(networkVersions)
    .innerJoin(networks, eq(networks.id, networkVersions.networkId))
    .where(and(networkScope(scope), eq(networks.number, number)))
    .orderBy(desc(networkVersions.version))

export const selectVersionsFrom = (db: Db, scope: Scope, number: string, from: number) =>
  db
    .select({ version: networkVersions.version, at: networkVersions.at, changes: networkVersions.changes })
    .from(networkVersions)
    .innerJoin(networks, eq(networks.id, networkVersions.networkId))
    .where(and(networkScope(scope), eq(networks.number, number), gte(networkVersions.version, from)))
