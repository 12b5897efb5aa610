import { type SQL, getTableColumns, sql } from 'drizzle-orm'
import { HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import { DIAL_SERVER_AWAY } from '#contract/kernel/states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { RouterSave } from '#contract/router/saves.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { insertOutboxFrom, toRefreshEntries } from '#db/hub-outbox.ts'
import { routerStates } from '#db/schema/routers.ts'
import { saveJobResults } from '#features/network/sql/jobs.ts'
import { isOneOfPeers, selectDialling, selectReaching } from '#features/network/sql/peers.ts'
import { dialsAt, endDials, saveLinks } from './dials.ts'

/* Statements that save what the hubs of routers know, for many of them in one batch: each list is one bound value. */

const {
  routerId: _id,
  os: _os,
  notifiedPresence: _notified,
  clientCapabilities: _capabilities,
  ...STATE_COLUMNS
} = getTableColumns(routerStates)

/** All columns that a router's hub writes: one left out would keep its old value. */
export type StateRow = Pick<typeof routerStates.$inferSelect, keyof typeof STATE_COLUMNS>

const STATE_KEYS = Object.keys(STATE_COLUMNS) as readonly (keyof StateRow)[]

/** False for a save of another release, whose columns are not the same. */
export const hasAllColumns = ({ state }: RouterSave): boolean =>
  Object.keys(state).length === STATE_KEYS.length && STATE_KEYS.every((key) => key in state)

/**
 * Saves states, pending log lines, links and results of jobs to the rows of these hubs, and ends the dials of devices that are
 * away. `saved` are the hubs that have a row. `entries` are outbox rows of the same batch: for routers whose documents name
 * what has changed, and for accounts of software members that are now offline (离线).
 *
 * @param requestId of the request that the save comes from, for its outbox rows
 */
export async function saveRouters(db: Db, saves: readonly RouterSave[], now: number, requestId = '') {
  const results = saves.flatMap((save) => save.results.map((result) => ({ ...keyOf(save), ...result })))
  const links = saves.flatMap((save) => save.links.map((link) => ({ ...keyOf(save), ...link })))
  const carriers = saves.filter(({ moved }) => moved.carrier)
  const away = saves.filter(({ isAway }) => isAway)
  const { saved, peers, notices } = await batch(db, {
    results: results.length > 0 && saveJobResults(db, withRouters(results)),
    saved: upsertStates(db, saves),
    logs: insertLogs(db, saves),
    ...(links.length > 0 ? saveLinks(db, withRouters(links)) : {}),
    moved: carriers.length > 0 && bumpNetworks(db, carriers),
    peers: insertPeerRefreshes(db, saves, now, requestId),
    ...(away.length > 0 ? endDialsOfAway(db, away, now) : NO_DIALS_END),
  })
  const hubs: ReadonlySet<HubName> = new Set(saved.map(([hub]) => hub))
  const entries: readonly OutboxEntry[] = toRefreshEntries([...(peers ?? []), ...(notices ?? [])])
  return { saved: hubs, entries }
}

type RouterKey = Pick<RouterSave, 'hub' | 'accountId'>

const keyOf = ({ hub, accountId }: RouterKey): RouterKey => ({ hub, accountId })

/** The rows `d` with their routers `r`, to join in front. */
const withRouters = (rows: readonly RouterKey[]): SQL =>
  sql`json_each(${JSON.stringify(rows)}) d
    join routers r on r.hub = d.value ->> 'hub' and r.account_id = d.value ->> 'accountId'`

const selectIds = (saves: readonly RouterSave[]): SQL => sql`select r.id from ${withRouters(saves.map(keyOf))}`

function upsertStates(db: Db, saves: readonly RouterSave[]) {
  const columns = STATE_KEYS.map((key) => sql.identifier(STATE_COLUMNS[key].name))
  const values = STATE_KEYS.map((key) => sql`d.value ->> ${key}`)
  const updates = columns.map((column) => sql`${column} = excluded.${column}`)
  const rows = saves.map((save) => ({ ...save.state, ...keyOf(save) }))
  return db.all<[HubName]>(sql`
    insert into router_states (router_id, ${sql.join(columns, sql`, `)})
    select r.id, ${sql.join(values, sql`, `)} from ${withRouters(rows)} where true
    on conflict (router_id) do update set ${sql.join(updates, sql`, `)}
    returning (select hub from routers where routers.id = router_states.router_id)`)
}

/** The unique index of connection_logs makes a repeated write harmless. */
function insertLogs(db: Db, saves: readonly RouterSave[]) {
  const lines = saves.flatMap((save) =>
    save.logs.map((line) => ({ ...line, ...keyOf(save), routerName: save.routerName })),
  )
  if (lines.length === 0) return undefined
  return db.run(sql`
    insert or ignore into connection_logs
      (account_id, router_id, router_uid, router_name, epoch, online, remote_ip, remote_port, version, reason, at, local_ip, upload, download)
    select r.account_id, r.id, coalesce(r.uid, r.hub), d.value ->> 'routerName', d.value ->> 'epoch', d.value ->> 'online',
      d.value ->> 'remoteHost', d.value ->> 'remotePort', d.value ->> 'version', d.value ->> 'reason', d.value ->> 'at',
      coalesce(d.value ->> 'localIp', ''), d.value ->> '$.volume.upload', d.value ->> '$.volume.download'
    from ${withRouters(lines)} order by d.key`)
}

/** Raises the revision of their networks, so that points wait for centres that have read the change. */
const bumpNetworks = (db: Db, carriers: readonly RouterSave[]) =>
  db.run(sql`
    update networks set revision = revision + 1 where id in (
      select n.id from ${withRouters(carriers.map(keyOf))} join network_members m on m.router_id = r.id
        join networks n on n.id = m.network_id and n.account_id = r.account_id)`)

/**
 * Refreshes of routers whose documents name a change: those that dial a changed endpoint, those that reach changed LANs,
 * both and the router itself if it begins or ceases to run tunnels, and the router itself while jobs wait that the last
 * read left out. Undefined if there are none.
 */
function insertPeerRefreshes(db: Db, saves: readonly RouterSave[], now: number, requestId: string) {
  const dialled = saves.filter(({ moved }) => moved.endpoint || moved.carrier)
  const reached = saves.filter(({ moved }) => moved.lans || moved.carrier)
  const answered = saves.filter(({ results }) => results.length > 0)
  const peers = [
    ...(dialled.length > 0 ? selectDialling(selectIds(dialled)) : []),
    ...(reached.length > 0 ? selectReaching(selectIds(reached)) : []),
    ...(answered.length > 0 ? [selectWaiting(selectIds(answered), now)] : []),
  ]
  if (peers.length === 0) return undefined
  return insertOutboxFrom(
    db,
    sql`
      select 'router' as kind, peer.hub as hub from routers peer
      where peer.router_type = ${ROUTER_TYPE.hardware} and ${isOneOfPeers(sql`peer.id`, peers)}`,
    now + HUB_OUTBOX.sweepAfterMs,
    { requestId },
  )
}

const selectWaiting = (ids: SQL, now: number): SQL =>
  sql`select router_id from network_jobs
    where router_id in (${ids}) and state = 'pending' and kind <> 'resend' and expires_at > ${now}`

const NO_DIALS_END = { presence: undefined, notices: undefined, dials: undefined }

/** Their members were seen last when their device was. */
function endDialsOfAway(db: Db, away: readonly RouterSave[], now: number) {
  const rows = away.map((save) => ({ ...keyOf(save), seenAt: save.state['lastSeenAt'] }))
  const seenAt = sql`(select d.value ->> 'seenAt' from ${withRouters(rows)} where r.id = l.link_id)`
  return endDials(db, { ending: dialsAt(selectIds(away)), reason: DIAL_SERVER_AWAY, seenAt }, now)
}
