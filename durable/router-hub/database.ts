import { createHash, createHmac } from 'node:crypto'
import { and, eq, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HubName, OutboxEntry } from '../../worker/contract/hubs.ts'
import { CONFIG_PUSH, OUTBOX, ROUTER_TYPE } from '../../worker/contract/limits.ts'
import type { RouterDocument } from '../../worker/contract/protocol.ts'
import { type Db, openPrimary } from '../../worker/db/client.ts'
import { as } from '../../worker/db/columns.ts'
import { accounts } from '../../worker/db/schema/accounts.ts'
import { devices, routerStates, routers } from '../../worker/db/schema/members.ts'
import { networkMembers, networks } from '../../worker/db/schema/networks.ts'
import {
  canonicalJson,
  compileRouter,
  type DocumentMember,
  type NetworkRows,
} from '../../worker/domain/network/compile.ts'
import { usedSettings } from '../../worker/domain/network/device-settings.ts'
import { keyFingerprint } from '../../worker/security/device-key.ts'
import type { ConfigFrame } from './device-socket.ts'
import type { RouterEvent } from './machine.ts'
import { arePeersDue } from './outbox.ts'
import { presenceView } from './presence.ts'
import { shownConfig } from './shown-config.ts'
import type { RouterState } from './storage.ts'

type Refreshed = Extract<RouterEvent, { type: 'refreshed' }>

/** Reads a router's rows and compiles its document; null when the row is gone. `hasKey`: its device may connect. */
export async function readRouter(
  env: Env,
  hub: HubName,
): Promise<{ event: Refreshed; document: RouterDocument; hasKey: boolean } | null> {
  const { router, members } = await selectRouter(openPrimary(env), hub)
  if (!router) return null
  const byNetwork = new Map<HubName, RouterMember[]>()
  for (const member of members) byNetwork.set(member.networkHub, [...(byNetwork.get(member.networkHub) ?? []), member])
  // A software member reads its document at sign-in; no hub pushes it.
  const named = [...byNetwork.values()].filter(([first]) => first?.withdrawn === 0)
  const rows = router.routerType === ROUTER_TYPE.hardware ? named.map(toNetworkRows) : []
  const document = compileRouter(router.name, rows, linkKey)
  const networks = [...byNetwork]
    .map(([networkHub, [first]]) => ({ hub: networkHub, number: first?.number ?? '' }))
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
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
      seenIn: networks.length > 0 ? networks.map(({ number }) => number) : leftNetwork === null ? [] : [leftNetwork],
      settings: usedSettings(document),
    },
    enabled: router.status === 1,
    hash: hashDocument(document),
    isEmpty: document.networks.length === 0,
    floor: router.configVersion ?? 0,
    linkIds: linkIdsOf(document),
  }
  return { event, document, hasKey: router.publicKey !== null }
}

export const linkIdsOf = (document: RouterDocument | null): ReadonlySet<string> =>
  new Set(document?.networks.flatMap((network) => network.links.map(({ id }) => id)))

type RouterMember = Awaited<ReturnType<typeof selectRouter>>['members'][number]

function toNetworkRows(members: readonly RouterMember[]): NetworkRows {
  const [first] = members
  if (!first) throw new Error('a network without members')
  return { networkNumber: first.number, ciphers: first.ciphers, secret: first.secret, members: members.map(toMember) }
}

function toMember({ remoteHost, probePort, routerType, ...member }: RouterMember): DocumentMember {
  const isKnown = remoteHost !== null && remoteHost !== '' && probePort !== null && probePort > 0
  return {
    ...member,
    routerType: routerType === ROUTER_TYPE.software ? ROUTER_TYPE.software : ROUTER_TYPE.hardware,
    endpoint: isKnown ? { host: remoteHost, port: probePort } : null,
  }
}

const linkKey = (secret: string, linkId: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(linkId).digest('hex')

/** The empty document for a device whose router is deleted, above every version it knows; null where it runs nothing. */
export function toEmptyConfigFrame({ router, config }: RouterState): ConfigFrame | null {
  if (!router || (config.applied === null && config.version === 0)) return null
  const body = compileRouter(router.routerName, [], linkKey)
  const hash = hashDocument(body)
  if (config.applied?.hash === hash) return null
  const version = Math.max(config.version, config.applied?.version ?? 0) + 1
  return { t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds }
}

/** SHA-256, hex, of the canonical JSON: equal hashes mean equal documents. */
const hashDocument = (document: RouterDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex')

/** Everything one router's document is made of, in one round trip. A point gets the rows of itself and its centres only. */
export async function selectRouter(db: Db, hub: HubName) {
  const own = alias(networkMembers, 'own')
  const [[router], members] = await db.batch([
    db
      .select({
        accountId: routers.accountId,
        accountHub: as(accounts.hub, 'account_hub'),
        deviceId: routers.deviceId,
        name: routers.name,
        routerType: routers.routerType,
        status: routers.status,
        leftNetwork: routers.leftNetwork,
        configVersion: routerStates.configVersion,
        publicKey: devices.publicKey,
      })
      .from(routers)
      .innerJoin(accounts, eq(accounts.id, routers.accountId))
      .leftJoin(devices, eq(devices.id, routers.deviceId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(eq(routers.hub, hub)),
    db
      .select({
        networkHub: networks.hub,
        number: networks.number,
        ciphers: networks.ciphers,
        secret: networks.secret,
        withdrawn: networks.withdrawn,
        routerName: routers.name,
        routerType: routers.routerType,
        memberType: networkMembers.memberType,
        segmentIndex: networkMembers.segmentIndex,
        host: networkMembers.host,
        remoteHost: routerStates.remoteHost,
        probePort: routerStates.probePort,
      })
      .from(own)
      .innerJoin(networks, eq(networks.id, own.networkId))
      .innerJoin(networkMembers, eq(networkMembers.networkId, own.networkId))
      .innerJoin(routers, eq(routers.id, networkMembers.routerId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(
        and(
          sql`${own.routerId} = (select id from routers where hub = ${hub})`,
          or(eq(routers.routerType, ROUTER_TYPE.hardware), eq(routers.status, 1)), // a disabled account may not dial in
          or(
            eq(networkMembers.memberType, 'center'),
            eq(own.memberType, 'center'),
            eq(networkMembers.routerId, own.routerId),
          ),
        ),
      ),
  ])
  return { router: router ?? null, members }
}

type StateRow = Omit<typeof routerStates.$inferInsert, 'routerId' | 'os'>

/**
 * Saves state and pending log lines to the row of this hub and account. `peers` are outbox entries, in the same batch, for
 * the points that dial this centre where its endpoint changed and they were not refreshed for another change just before.
 */
export async function saveRouter(
  env: Env,
  hub: HubName,
  state: RouterState,
  now: number,
): Promise<{ isDeleted: boolean; peers: OutboxEntry[] }> {
  const { router, device, presence, outbox } = state
  if (!router) return { isDeleted: false, peers: [] }
  const db = openPrimary(env)
  const shown = presenceView(presence)
  const pushed = shownConfig(state)
  const row = sql`from routers where hub = ${hub} and account_id = ${router.accountId}`
  const [saved, , peers] = await db.batch([
    upsertState(db, row, {
      presence: shown.state,
      presenceSince: shown.since,
      presenceReason: shown.reason,
      live: shown.live === true ? 1 : 0,
      lastSeenAt: shown.last_seen,
      remoteHost: device?.remoteHost ?? null,
      probePort: device?.probePort ?? null,
      version: device?.version ?? '',
      mac: device?.mac ?? '',
      interfaces: JSON.stringify(device?.interfaces ?? []),
      configState: pushed.state,
      configVersion: pushed.version,
      configAppliedVersion: pushed.applied_version,
      configReason: pushed.reason,
      configAt: pushed.at,
    }),
    // The unique index of connection_logs makes a repeated write harmless.
    db.run(sql`
      insert or ignore into connection_logs
        (account_id, router_name, epoch, online, remote_ip, remote_port, version, reason, at)
      select ${router.accountId}, ${router.routerName}, value ->> 'epoch', value ->> 'online', value ->> 'remoteHost',
        value ->> 'remotePort', value ->> 'version', value ->> 'reason', value ->> 'at'
      from json_each(${JSON.stringify(outbox.logs)})
      where exists (select 1 ${row})`),
    insertPeerRefreshes(db, row, arePeersDue(outbox, now), now),
  ])
  return {
    isDeleted: saved.length === 0,
    peers: peers.map(([id, peer]) => ({ id, kind: 'router', hub: peer, op: 'refresh' })),
  }
}

function upsertState(db: Db, row: ReturnType<typeof sql>, s: StateRow) {
  return db.all<[number]>(sql`
    insert into router_states (
      router_id, presence, presence_since, presence_reason, live, last_seen_at, remote_host, probe_port, version, mac,
      interfaces, config_state, config_version, config_applied_version, config_reason, config_at)
    select id, ${s.presence}, ${s.presenceSince}, ${s.presenceReason}, ${s.live}, ${s.lastSeenAt}, ${s.remoteHost},
      ${s.probePort}, ${s.version}, ${s.mac}, ${s.interfaces}, ${s.configState}, ${s.configVersion}, ${s.configAppliedVersion},
      ${s.configReason}, ${s.configAt}
    ${row}
    on conflict (router_id) do update set
      presence = excluded.presence, presence_since = excluded.presence_since,
      presence_reason = excluded.presence_reason, live = excluded.live, last_seen_at = excluded.last_seen_at,
      remote_host = excluded.remote_host, probe_port = excluded.probe_port, version = excluded.version,
      mac = excluded.mac, interfaces = excluded.interfaces, config_state = excluded.config_state,
      config_version = excluded.config_version, config_applied_version = excluded.config_applied_version,
      config_reason = excluded.config_reason, config_at = excluded.config_at
    returning router_id`)
}

const insertPeerRefreshes = (db: Db, row: ReturnType<typeof sql>, isDue: boolean, now: number) =>
  db.all<[string, HubName]>(sql`
    insert into hub_outbox (id, kind, hub, op, due_at)
    select lower(hex(randomblob(16))), 'router', peer.hub, 'refresh', ${now + OUTBOX.sweepAfterMs}
    from routers peer
    where ${isDue ? 1 : 0} and peer.router_type = ${ROUTER_TYPE.hardware} and peer.id in (
      select point.router_id from network_members own
      join network_members point on point.network_id = own.network_id and point.member_type = 'point'
      where own.router_id = (select id ${row}) and own.member_type = 'center')
    returning id, hub`)
