import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { ENROL_GUARD } from '../../contract/limits.ts'
import { as } from '../../db/columns.ts'
import type { Db } from '../../db/client.ts'
import { attempts } from '../../db/schema/accounts.ts'
import { devices, routerStates, routers } from '../../db/schema/members.ts'
import { networkMembers, networks } from '../../db/schema/networks.ts'
import { recordAttempt } from '../../db/rate-limit.ts'

const WINDOW_MS = ENROL_GUARD.windowMinutes * 60_000

/** A device by its serial with the member it is claimed as, if any. */
export async function deviceBySerial(db: Db, serial: string) {
  const [row] = await db
    .select({
      deviceId: as(devices.id, 'device_id'),
      serial: devices.serial,
      publicKey: devices.publicKey,
      routerId: as(routers.id, 'router_id'),
      accountId: routers.accountId,
      routerName: routers.name,
      status: routers.status,
    })
    .from(devices)
    .leftJoin(routers, eq(routers.deviceId, devices.id))
    .where(eq(devices.serial, serial))
  return row ?? null
}

/** Keys of the counters that guard an enrolment. */
interface EnrolKeys {
  readonly serial: string
  readonly address: string
}
interface Counter {
  readonly count: number
  readonly windowEnd: number
}

/** Counts one try at the serial, this one included, and reads the failures of the address. */
export async function beginEnrolment(
  db: Db,
  keys: EnrolKeys,
  now: number,
): Promise<{ tries: Counter; failures: Counter }> {
  const [[tries], [failures]] = await db.batch([
    recordAttempt(db, keys.serial, WINDOW_MS, now),
    db
      .select({ count: attempts.count, windowEnd: attempts.windowEnd })
      .from(attempts)
      .where(and(eq(attempts.key, keys.address), gt(attempts.windowEnd, now))),
  ])
  const none = { count: 0, windowEnd: now }
  return { tries: tries ? { count: tries[0], windowEnd: tries[1] } : none, failures: failures ?? none }
}

/**
 * Pins a key where none is and the code is right; answers what stands afterwards. In the same round trip a wrong code
 * counts against the address, and a right one forgives the serial its tries.
 */
export async function pinKey(
  db: Db,
  { serial, hash, key, keys }: { serial: string; hash: string; key: string; keys: EnrolKeys },
  now: number,
) {
  const isRight = sql`exists (select 1 from ${devices} where serial = ${serial} and activation_hash = ${hash})`
  const [, , , [row]] = await db.batch([
    db
      .update(devices)
      .set({ publicKey: key, keyAt: now })
      .where(and(eq(devices.serial, serial), eq(devices.activationHash, hash), isNull(devices.publicKey))),
    recordAttempt(db, keys.address, WINDOW_MS, now, sql`not ${isRight}`),
    db.delete(attempts).where(and(eq(attempts.key, keys.serial), isRight)),
    db
      .select({ publicKey: devices.publicKey, activationHash: devices.activationHash })
      .from(devices)
      .where(eq(devices.serial, serial)),
  ])
  return row ?? null
}

/**
 * Everything one router's document is made of, in one round trip. The mark that its rows moved is taken off in the same
 * transaction: the hub has already noted that it owes a compilation, so nothing falls between.
 */
export async function takeRouter(db: Db, routerId: number) {
  const own = alias(networkMembers, 'own')
  const [, [router], members] = await db.batch([
    db
      .update(routerStates)
      .set({ configStale: 0 })
      .where(and(eq(routerStates.routerId, routerId), eq(routerStates.configStale, 1))),
    db
      .select({
        accountId: routers.accountId,
        name: routers.name,
        routerType: routers.routerType,
        status: routers.status,
        configVersion: routerStates.configVersion,
        publicKey: devices.publicKey,
      })
      .from(routers)
      .leftJoin(devices, eq(devices.id, routers.deviceId))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(eq(routers.id, routerId)),
    db
      .select({
        networkId: as(networks.id, 'network_id'),
        number: networks.number,
        ciphers: networks.ciphers,
        secret: networks.secret,
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
      .where(eq(own.routerId, routerId)),
  ])
  return { router: router ?? null, members }
}

/** One line of the connection log; its unique index makes a repeated write harmless. */
export interface LogRow {
  readonly epoch: number
  readonly online: 0 | 1
  readonly remoteHost: string
  readonly remotePort: number
  readonly version: string
  readonly reason: string
  readonly at: number
}

type StateRow = Omit<typeof routerStates.$inferInsert, 'routerId' | 'configStale' | 'os'>

/**
 * Stores what a hub knows of its router, with new log lines; a router that was deleted meanwhile stores nothing.
 * `endpointMoved` marks the points that dial this centre, and answers their ids.
 */
export async function saveRouterState(
  db: Db,
  router: { readonly routerId: number; readonly accountId: number; readonly routerName: string },
  state: StateRow,
  logs: readonly LogRow[],
  endpointMoved: boolean,
): Promise<number[]> {
  const points = sql`
    select point.router_id from network_members own
    join network_members point on point.network_id = own.network_id and point.member_type = 'point'
    join routers r on r.id = point.router_id and r.router_type = 1
    where own.router_id = ${router.routerId} and own.member_type = 'center' and ${endpointMoved ? 1 : 0}`
  const [, , , marked] = await db.batch([
    upsertState(db, router.routerId, state),
    db.run(sql`
      insert or ignore into connection_logs
        (account_id, router_name, epoch, online, remote_ip, remote_port, version, reason, at)
      select ${router.accountId}, ${router.routerName}, value ->> 'epoch', value ->> 'online', value ->> 'remoteHost',
        value ->> 'remotePort', value ->> 'version', value ->> 'reason', value ->> 'at'
      from json_each(${JSON.stringify(logs)})
      where exists (select 1 from routers where id = ${router.routerId})`),
    db.run(sql`
      insert into router_states (router_id, config_stale) select router_id, 1 from (${points}) where true
      on conflict (router_id) do update set config_stale = 1`),
    db.all<unknown[]>(sql`select distinct router_id from (${points})`),
  ])
  return marked.map(([id]) => Number(id))
}

function upsertState(db: Db, routerId: number, s: StateRow) {
  return db.run(sql`
    insert into router_states (
      router_id, presence, presence_since, presence_reason, last_seen_at, remote_host, probe_port, version, mac,
      interfaces, config_state, config_version, config_applied_version, config_reason, config_at)
    select id, ${s.presence}, ${s.presenceSince}, ${s.presenceReason}, ${s.lastSeenAt}, ${s.remoteHost}, ${s.probePort},
      ${s.version}, ${s.mac}, ${s.interfaces}, ${s.configState}, ${s.configVersion}, ${s.configAppliedVersion},
      ${s.configReason}, ${s.configAt}
    from routers where id = ${routerId}
    on conflict (router_id) do update set
      presence = excluded.presence, presence_since = excluded.presence_since,
      presence_reason = excluded.presence_reason, last_seen_at = excluded.last_seen_at,
      remote_host = excluded.remote_host, probe_port = excluded.probe_port, version = excluded.version,
      mac = excluded.mac, interfaces = excluded.interfaces, config_state = excluded.config_state,
      config_version = excluded.config_version, config_applied_version = excluded.config_applied_version,
      config_reason = excluded.config_reason, config_at = excluded.config_at`)
}
