import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { openPrimary } from '#db/client.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import { as, isOneOf } from '#db/columns.ts'
import { stateColumns } from '#features/router/sql/columns.ts'
import { accounts, sessions } from '#db/schema/accounts.ts'
import { tickets } from '#db/schema/tickets.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { TICKET_FRAMES } from '#contract/kernel/hub-limits.ts'
import { batch } from '#db/batch.ts'
import { outdatedKeys } from '#domain/account/watch-key.ts'
import { PRESENT_STATES } from '#domain/health/member.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countUnread } from '#features/message/sql.ts'
import type { Watcher } from './unread-counts.ts'

/* Database reads of an account's hub: unread counts, ended sessions, deleted routers, tickets, present devices. */

interface Question {
  readonly watchers: readonly Watcher[]
  readonly watching: readonly string[]
  readonly endedSince: number
  readonly routerHubs: readonly HubName[]
  readonly ticketsSince: number
}

/** Watch key of a session, as `watchKey` makes it. */
const watchKeyColumn = sql`case s.version when 1 then s.id else s.id || '.' || s.version end`
const hasChangedRights = and(isNull(sessions.endedAt), gt(sessions.version, 1))

/** Rows of an account's hub, in one round trip; null when the account is deleted. */
export async function readAccount(
  env: Env,
  hub: HubName,
  { watchers, watching, endedSince, routerHubs, ticketsSince }: Question,
) {
  const db = openPrimary(env)
  const readers = watchers.map(({ person, grants }) => ({ person, networks: grants.networks }))
  const {
    account: [account],
    unread,
    closed,
    ended,
    known,
    deleted,
    rehomed,
    moved,
  } = await batch(db, {
    account: db
      .select({
        id: accounts.id,
        handledAt: sql<number | null>`(select max(h.at) from attention_handlers h where h.account_id = accounts.id)`.as(
          'handled_at',
        ),
      })
      .from(accounts)
      .where(eq(accounts.hub, hub)),
    unread: db.all<[number]>(sql`
      select ${countUnread({ accountId: sql`a.id`, person: sql`w.value ->> 'person'`, networks: sql`w.value ->> 'networks'` })} as unread
      from json_each(${JSON.stringify(readers)}) w join accounts a on a.hub = ${hub} order by w.key`),
    closed: db.all<[string]>(
      sql`select value from json_each(${JSON.stringify(watching)}) where value not in (
        select ${watchKeyColumn} from sessions s join accounts a on a.id = s.account_id
        where a.hub = ${hub} and s.ended_at is null)`,
    ),
    ended: db
      .select({ id: sessions.id, version: sessions.version, endedAt: sessions.endedAt })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(and(eq(accounts.hub, hub), or(gt(sessions.endedAt, endedSince), hasChangedRights))),
    known: db
      .select({ hub: as(networks.hub, 'network_hub') })
      .from(networks)
      .innerJoin(accounts, eq(accounts.id, networks.accountId))
      .where(eq(accounts.hub, hub)),
    deleted: db.all<[HubName]>(
      sql`select value from json_each(${JSON.stringify(routerHubs)}) where value not in (
        select r.hub from routers r join accounts a on a.id = r.account_id where a.hub = ${hub})`,
    ),
    rehomed: db.all<[from: HubName, to: HubName]>(
      sql`select r.moved_from, r.hub from routers r join accounts a on a.id = r.account_id
        where a.hub = ${hub} and r.moved_from is not null`,
    ),
    moved: db
      .select({
        number: tickets.number,
        person: tickets.person,
        status: as(tickets.status, 'ticket_status'),
        revision: tickets.revision,
      })
      .from(tickets)
      .innerJoin(accounts, eq(accounts.id, tickets.accountId))
      .where(and(eq(accounts.hub, hub), gt(tickets.updatedAt, ticketsSince)))
      .orderBy(desc(tickets.updatedAt))
      .limit(TICKET_FRAMES.max),
  })
  if (!account) return null
  const outdated = ended.flatMap((session) => outdatedKeys({ ...session, hasEnded: session.endedAt !== null }))
  return {
    accountId: account.id,
    /** Unread messages of each of the asked readers, in their order. */
    unread: unread.map(([count]) => count),
    /** Keys of watching sessions that are closed or have other rights now, and all that ended since the given time. */
    endedSessions: [...new Set([...closed.map(([key]) => key), ...outdated])],
    networkHubs: known.map((n) => n.hub),
    deletedRouters: deleted.map(([routerHub]) => routerHub),
    /** Routers with another hub than before. */
    rehomed,
    tickets: moved,
    handledAt: account.handledAt,
  }
}

/** One page of the account's devices that the lists show as present, in order of `id`, each with the number of all. */
export function readPresentRouters(env: Env, hub: HubName, afterId: number, limit: number) {
  const db = openPrimary(env)
  const isIn = (type: 'center' | 'point', more = sql``) => sql`exists (select 1 from network_members m
    where m.router_id = ${routers.id} and m.member_type = ${type} ${more})`
  const hasCenter = sql`and exists (select 1 from network_members c
    where c.network_id = m.network_id and c.member_type = 'center')`
  const present = db
    .select({
      id: routers.id,
      hub: as(routers.hub, 'router_hub'),
      name: as(routers.name, 'router_name'),
      isUnreadable: sql<0 | 1>`${routerStates.unreadableSince} is not null`.as('is_unreadable'),
      /** 1: a point of networks that have centres, and a centre of none. */
      isPoint: sql<0 | 1>`(${isIn('point', hasCenter)} and not ${isIn('center')})`.as('is_point'),
      /** Number of present routers of the whole account: it counts before `afterId`. */
      total: sql<number>`count(*) over ()`.as('total'),
    })
    .from(routers)
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .innerJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        eq(accounts.hub, hub),
        eq(routers.routerType, ROUTER_TYPE.hardware),
        isOneOf(routerStates.presence, PRESENT_STATES),
      ),
    )
    .as('present')
  return db.select().from(present).where(gt(present.id, afterId)).orderBy(present.id).limit(limit)
}
export type PresentRouter = Awaited<ReturnType<typeof readPresentRouters>>[number]

/** Marks these devices of the account as unreadable, as far as their rows call them present, and reads those marked. */
export async function markUnreadable(env: Env, hub: HubName, routerHubs: readonly HubName[], now: number) {
  const db = openPrimary(env)
  const own = sql`(select id from accounts where hub = ${hub})`
  const named = sql`select value from json_each(${JSON.stringify(routerHubs)})`
  const { rows } = await batch(db, {
    marked: db.run(sql`
      update router_states set unreadable_since = ${now}
      where unreadable_since is null and ${isOneOf(routerStates.presence, PRESENT_STATES)}
        and router_id in (select id from routers where account_id = ${own} and hub in (${named}))`),
    rows: db
      .select({
        hub: as(routers.hub, 'router_hub'),
        name: as(routers.name, 'router_name'),
        leftNetwork: routers.leftNetwork,
        presence: sql<PresenceState>`${routerStates.presence}`.as('row_presence'),
        state: stateColumns,
        joined: sql<string>`(select json_group_array(json_array(n.hub, n.number)) from network_members m
          join networks n on n.id = m.network_id where m.router_id = ${routers.id})`.as('joined'),
        carried: sql<string>`(select json_group_array(n.hub) from pop_members p
          join networks n on n.id = p.network_id where p.router_id = ${routers.id})`.as('carried'),
      })
      .from(routers)
      .innerJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(
        and(
          sql`${routers.accountId} = ${own}`,
          sql`${routers.hub} in (${named})`,
          isNotNull(routerStates.unreadableSince),
        ),
      ),
  })
  return rows.map(({ joined: list, carried, leftNetwork, ...row }) => {
    const joined = JSON.parse(list) as [HubName, string][]
    const networkHubs = new Set([...joined.map(([networkHub]) => networkHub), ...(JSON.parse(carried) as HubName[])])
    return { ...row, networkHubs: [...networkHubs], seenIn: toSeenIn(joined, leftNetwork) }
  })
}
export type SilentRouter = Awaited<ReturnType<typeof markUnreadable>>[number]

/** Numbers of the networks by which roles see a router. */
const toSeenIn = (joined: readonly (readonly [HubName, string])[], leftNetwork: string | null): string[] =>
  joined.length > 0 ? joined.map(([, number]) => number) : leftNetwork === null ? [] : [leftNetwork]

/** Page of software members whose presence has changed since the account's hub was notified, in order of `id`. */
export async function readMovedClients(env: Env, hub: HubName, afterId: number, limit: number) {
  const db = openPrimary(env)
  const rows = await db
    .select({
      id: routers.id,
      hub: as(routers.hub, 'router_hub'),
      name: routers.name,
      leftNetwork: routers.leftNetwork,
      notified: sql<PresenceState>`${routerStates.notifiedPresence}`.as('notified'),
      state: stateColumns,
      networks: sql<string>`${db
        .select({ list: sql`json_group_array(json_array(${networks.hub}, ${networks.number}))` })
        .from(networkMembers)
        .innerJoin(networks, eq(networks.id, networkMembers.networkId))
        .where(sql`network_members.router_id = routers.id`)}`.as('networks'),
    })
    .from(routerStates)
    .innerJoin(routers, eq(routers.id, routerStates.routerId))
    .innerJoin(accounts, eq(accounts.id, routers.accountId))
    .where(and(isNotNull(routerStates.notifiedPresence), eq(accounts.hub, hub), gt(routerStates.routerId, afterId)))
    .orderBy(asc(routerStates.routerId))
    .limit(limit)
  return rows.map(({ networks: list, leftNetwork, ...row }) => {
    const joined = JSON.parse(list) as [HubName, string][]
    return { ...row, networkHubs: joined.map(([networkHub]) => networkHub), seenIn: toSeenIn(joined, leftNetwork) }
  })
}

export type MovedClient = Awaited<ReturnType<typeof readMovedClients>>[number]

/** Clears `notified_presence` of clients whose presence has not changed since it was read. */
export function saveNotified(env: Env, clients: readonly MovedClient[]) {
  const sent = JSON.stringify(clients.map(({ id, state }) => [id, state.presence, state.presenceSince]))
  return openPrimary(env).run(sql`
    update router_states set notified_presence = null from json_each(${sent}) c
    where router_id = c.value ->> 0 and presence = c.value ->> 1 and presence_since is c.value ->> 2`)
}
