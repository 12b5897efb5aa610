import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { VPN } from '#contract/device/limits.ts'
import { DIAL_LOST, DIAL_SERVER_AWAY } from '#contract/kernel/states.ts'
import { CONFIG_PUSH, HUB_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { earliest } from '#contract/kernel/time.ts'
import { batch } from '#db/batch.ts'
import { type Db, openPrimary } from '#db/client.ts'
import { dialsAt, endDials, type LinkRow, saveLinks } from '#features/router/sql/dials.ts'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { isOneOfPeers, selectDialling, selectReaching } from '#features/network/sql/peers.ts'
import { insertOutboxFrom, toRefreshEntries } from '#db/hub-outbox.ts'
import { routerStates } from '#db/schema/routers.ts'
import { saveJobResults } from '#features/network/sql/jobs.ts'
import { isPresent } from '#domain/health/member.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { linkEnds } from '#domain/network/members/links.ts'
import { usedSettings } from '#domain/network/compile/device-settings.ts'
import { deviceEndpoints } from '#domain/router/endpoints.ts'
import { bandwidthInForce, nextBandwidthChange, toTerm } from '#domain/saas/bandwidth.ts'
import type { Command } from './state/commands.ts'
import type { RouterEvent } from './state/machine-events.ts'
import { arePeersDue } from './state/outbox.ts'
import { presenceView } from './state/presence.ts'
import type { LinkPeriod } from './state/link-log.ts'
import { type RouterState, blankRouter, loadDocument, linkIdsOf } from './state/storage.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type NetworkRows, groupNetworkRows, hasNames, withoutNames } from '#domain/network/compile/rows.ts'
import { readKeys, toKeyOwners } from './device-keys.ts'
import { keyFingerprint, createLinkKeys } from '#security/device-secrets.ts'
import { openNetworkSecrets } from '#security/network-secret.ts'
import type { ConfigFrame } from './state/config-push.ts'
import { shownConfig, takesNames } from './state/state-change.ts'

/* Database of the router hub: reads a router's rows, compiles its document, saves its state, logs and outbox. */

type Refreshed = Extract<RouterEvent, { type: 'refreshed' }>

type RouterRows = Omit<Awaited<ReturnType<typeof selectRouter>>, 'holds'>

/** Networks that the document names. A software member reads its own at sign-in: no hub pushes it. */
export const toCompilerRows = (
  { routerType }: { readonly routerType: number },
  rows: Omit<RouterRows, 'router' | 'jobs'>,
): readonly NetworkRows[] => (routerType === ROUTER_TYPE.hardware ? groupNetworkRows(rows) : [])

/**
 * Reads a router's rows and compiles its document; null when there is no row. `hasKey`: its device may connect;
 * `isKeyReset`: the operator has reset it; `isHoldOn`: the operator's hold is on. `known`: state of the hub, whose device may
 * have reported more than the row has yet.
 */
export async function readRouter(env: Env, hub: HubName, known: Pick<RouterState, 'router' | 'device'> = blankRouter) {
  const db = openPrimary(env)
  const { router, jobs, holds, ...stored } = await selectRouter(db, hub)
  if (!router) return null
  const rows = { ...stored, networks: await openNetworkSecrets(env.SEAL_KEYS, stored.networks) }
  const now = Date.now()
  const term = toTerm(router)
  const bandwidth = term && bandwidthInForce(term, now)
  const owners = toKeyOwners(hub, { ...rows, router }, known)
  const keys = await readKeys({ db, sealKeys: env.SEAL_KEYS }, owners, stored, now)
  const named = toCompilerRows(router, rows)
  const isTakingNames = takesNames(known.device)
  const compiled = isTakingNames ? named : named.map(withoutNames)
  const document = compileRouter(router.name, compiled, createLinkKeys(), bandwidth, keys.compiled)
  const networks = rows.networks
    .map(({ hub: of, number, revision, accountId }) => ({
      hub: of,
      number,
      ...(accountId !== router.accountId && { accountId }),
      ...(isAwaited(document, number) && { revision }),
    }))
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
  /** Networks of customers on a node give nobody of the node's own account a right to see it. */
  const joined = rows.networks
    .filter(({ isMember }) => isMember === 1)
    .map(({ number }) => number)
    .toSorted()
  const { leftNetwork } = router
  const event: Refreshed = {
    type: 'refreshed',
    router: {
      accountId: router.accountId,
      accountHub: router.accountHub,
      deviceId: router.deviceId,
      keyFingerprint: router.publicKey === null ? null : keyFingerprint(router.publicKey),
      routerName: router.name,
      networks,
      seenIn: joined.length > 0 ? joined : leftNetwork === null ? [] : [leftNetwork],
      settings: usedSettings(document),
      isSaas: term !== null,
      changesAt: earliest([term && nextBandwidthChange(term, now), keys.changesAt]),
      refusal: keys.refusal,
      ...(named.some(hasNames) && { names: isTakingNames ? ('sent' as const) : ('left_out' as const) }),
    },
    enabled: router.status === 1,
    hash: hashDocument(document),
    isEmpty: document.networks.length === 0 && term === null,
    floor: router.configVersion ?? 0,
    linkIds: linkIdsOf(document),
    linkIps: linkIpsOf(document),
    jobs: jobs.map(({ params, ...job }) => ({ ...job, params: JSON.parse(params) as Command['params'] })),
  }
  const hasKey = router.publicKey !== null
  const isKeyReset = !hasKey && router.resetAt !== null
  const revisions = new Map(rows.networks.map(({ number, revision }) => [number, revision]))
  return { event, document, hasKey, isKeyReset, isHoldOn: holds.length > 0, revisions }
}

/** True if points wait for this router as a centre of tunnels. */
const isAwaited = ({ networks }: RouterDocument, number: string): boolean =>
  networks.some(
    ({ network_number, links }) =>
      network_number === number &&
      links.some(({ kind, role, carrier }) => kind === 'access' && role === 'server' && carrier === 'tunnel'),
  )

const linkIpsOf = (document: RouterDocument): Readonly<Record<string, string>> =>
  Object.fromEntries(
    document.networks
      .flatMap(({ links }) => links.filter(({ role }) => role === 'client'))
      .flatMap(({ id, local_ip }) => (local_ip === NO_ADDRESS ? [] : [[id, local_ip]])),
  )

/** Address of a link without a tunnel. */
const NO_ADDRESS = '0.0.0.0'

/** The stored document as it is pushed; null if there is none yet. */
export function toConfigFrame(
  storage: Parameters<typeof loadDocument>[0],
  { version, hash }: RouterState['config'],
  env: Pick<Env, 'ENVIRONMENT' | 'CONFIRM_S'>,
): ConfigFrame | null {
  const body = loadDocument(storage)
  return body && { t: 'config', version, hash, body, confirm_s: toConfirmSeconds(env) }
}

/** A local run may confirm sooner, so that its checks await a return in seconds. */
const toConfirmSeconds = ({ ENVIRONMENT, CONFIRM_S }: Pick<Env, 'ENVIRONMENT' | 'CONFIRM_S'>): number =>
  (ENVIRONMENT === 'local' && Number(CONFIRM_S)) || CONFIG_PUSH.confirmSeconds

/** The empty document for a device whose router is deleted, above every version it knows; null if it runs nothing. */
export function toEmptyConfigFrame({ router, config }: RouterState): ConfigFrame | null {
  if (!router || (config.applied === null && config.version === 0)) return null
  const body = compileRouter(router.routerName, [], createLinkKeys())
  const hash = hashDocument(body)
  if (config.applied?.hash === hash) return null
  const version = Math.max(config.version, config.applied?.version ?? 0) + 1
  return { t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds }
}

/** SHA-256, hex, of the canonical JSON: equal hashes mean equal documents. */
const hashDocument = (document: RouterDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex')

/** All columns that the hub writes: one left out would keep its old value. */
type StateRow = Required<
  Omit<typeof routerStates.$inferInsert, 'routerId' | 'os' | 'notifiedPresence' | 'clientCapabilities'>
>

/**
 * Saves state, pending log lines and results of jobs to the row of this hub and account, and ends the dials of a device
 * that is away. `entries` are outbox rows of the same batch: for points that dial this centre if its endpoint changed and
 * they were not just refreshed, and for accounts of software members that are now offline (离线).
 */
export async function saveRouter(env: Env, hub: HubName, state: RouterState, now: number) {
  const { router, device, presence, outbox } = state
  if (!router) return { isMissing: false, entries: [] }
  const db = openPrimary(env)
  const shown = presenceView(presence)
  const pushed = shownConfig(state)
  const row = sql`from routers where hub = ${hub} and account_id = ${router.accountId}`
  const { saved, peers, notices } = await batch(db, {
    results: outbox.results?.length ? saveJobResults(db, row, outbox.results) : undefined,
    saved: upsertState(db, row, {
      presence: shown.state,
      presenceSince: shown.since,
      presenceReason: shown.reason,
      live: shown.live === true ? 1 : 0,
      lastSeenAt: shown.last_seen,
      unreadableSince: null,
      ...deviceColumns(device),
      certificateRefusal: router.refusal?.reason ?? null,
      certificateRefusedAt: router.refusal?.at ?? null,
      configState: pushed.state,
      configVersion: pushed.version,
      configAppliedVersion: pushed.applied_version,
      configReason: pushed.reason,
      configAt: pushed.at,
      configConfirmedAt: state.config.confirmedAt,
      configRefused: JSON.stringify(state.config.refused),
    }),
    // The unique index of connection_logs makes a repeated write harmless.
    logs: db.run(sql`
      insert or ignore into connection_logs
        (account_id, router_id, router_uid, router_name, epoch, online, remote_ip, remote_port, version, reason, at, local_ip, upload, download)
      select ${router.accountId}, (select id ${row}), (select coalesce(uid, hub) ${row}), ${router.routerName}, value ->> 'epoch', value ->> 'online', value ->> 'remoteHost',
        value ->> 'remotePort', value ->> 'version', value ->> 'reason', value ->> 'at', coalesce(value ->> 'localIp', ''),
        value ->> '$.volume.upload', value ->> '$.volume.download'
      from json_each(${JSON.stringify(outbox.logs)})
      where exists (select 1 ${row})`),
    ...(outbox.periods?.length ? saveLinks(db, row, outbox.periods.flatMap(toLinkRow)) : {}),
    moved: bumpNetworks(db, row, state, now),
    peers: insertPeerRefreshes(db, row, outbox, now),
    ...(isPresent(shown.state) ? NO_DIALS_END : endDialsOfAway(db, row, shown.last_seen, now)),
  })
  return { isMissing: saved.length === 0, entries: toRefreshEntries([...(peers ?? []), ...(notices ?? [])]) }
}

function toLinkRow({ id, ...period }: LinkPeriod): LinkRow[] {
  const ends = linkEnds(id)
  return ends ? [{ ...period, key: `${period.startAt}:${id}`, number: ends.number, server: ends.server }] : []
}

const deviceColumns = (device: RouterState['device']) => ({
  remoteHost: device?.remoteHost ?? null,
  endpoints: device && JSON.stringify(deviceEndpoints(device)),
  probePort: device?.probePort ?? null,
  version: device?.version ?? '',
  mac: device?.mac ?? '',
  interfaces: JSON.stringify(device?.interfaces ?? []),
  tunnel: hasCapability(device, TUNNEL.capability),
  vpn: hasCapability(device, VPN.capability),
  certificateRequest: device?.csr ?? null,
})

/** Null before the device has named its capabilities. */
const hasCapability = (device: RouterState['device'], name: string) =>
  device?.capabilities ? toWireBoolean(device.capabilities.includes(name)) : null

const NO_DIALS_END = { presence: undefined, notices: undefined, dials: undefined }

/** Ends the dials of a device that is away: it cannot report who dials it. */
const endDialsOfAway = (db: Db, row: ReturnType<typeof sql>, lastSeen: number | null, now: number) =>
  endDials(db, { ending: dialsAt(sql`select id ${row}`), reason: DIAL_SERVER_AWAY, seenAt: lastSeen }, now)

export async function endUnreportedDials(env: Env, hub: HubName, since: number, now: number): Promise<OutboxEntry[]> {
  const ending = sql`${dialsAt(sql`select id from routers where hub = ${hub}`)} and l.seen_at < ${since}`
  const { notices } = await batch(openPrimary(env), endDials(openPrimary(env), { ending, reason: DIAL_LOST }, now))
  return toRefreshEntries(notices)
}

function upsertState(db: Db, row: ReturnType<typeof sql>, state: StateRow) {
  const columns = Object.keys(state).map((key) => sql.identifier(routerStates[key as keyof StateRow].name))
  const values = Object.values(state).map((value) => sql`${value}`)
  const updates = columns.map((column) => sql`${column} = excluded.${column}`)
  return db.all<[number]>(sql`
    insert into router_states (router_id, ${sql.join(columns, sql`, `)})
    select id, ${sql.join(values, sql`, `)} ${row}
    on conflict (router_id) do update set ${sql.join(updates, sql`, `)}
    returning router_id`)
}

/**
 * Raises the revision of its networks if a device begins or ceases to run tunnels, so that points wait for centres that
 * have read the change.
 */
const bumpNetworks = (db: Db, row: SQL, { router, outbox }: RouterState, now: number) =>
  outbox.vpnMoved === true && arePeersDue(outbox, now)
    ? db.run(sql`update networks set revision = revision + 1 where account_id = ${router?.accountId ?? 0}
        and id in (select network_id from network_members where router_id = (select id ${row}))`)
    : undefined

/**
 * Refreshes of routers whose documents name a change: those that dial a changed endpoint, those that reach changed LANs,
 * both and the router itself if it begins or ceases to run tunnels, and the router itself while jobs wait that the last
 * read left out. Undefined if there are none.
 */
function insertPeerRefreshes(db: Db, row: ReturnType<typeof sql>, outbox: RouterState['outbox'], now: number) {
  const own = sql`(select id ${row})`
  const isDue = arePeersDue(outbox, now)
  const isCarrierMoved = outbox.vpnMoved === true
  const peers = [
    ...(isDue && (outbox.endpointMoved || isCarrierMoved) ? selectDialling(own) : []),
    ...(isDue && (outbox.lansMoved === true || isCarrierMoved) ? selectReaching(own) : []),
    ...(outbox.results?.length ? [selectWaiting(own, now)] : []),
  ]
  if (peers.length === 0) return undefined
  return insertOutboxFrom(
    db,
    sql`
      select 'router' as kind, peer.hub as hub from routers peer
      where peer.router_type = ${ROUTER_TYPE.hardware} and ${isOneOfPeers(sql`peer.id`, peers)}`,
    now + HUB_OUTBOX.sweepAfterMs,
  )
}

const selectWaiting = (own: SQL, now: number): SQL =>
  sql`select router_id from network_jobs
    where router_id = ${own} and state = 'pending' and kind <> 'resend' and expires_at > ${now}`
