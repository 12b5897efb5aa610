import { PRESENCE, SOCKET_GUARD } from '#contract/kernel/hub-limits.ts'
import { CLOSE, CLOSED_DISABLED, type PresenceState, type PresenceView } from '#contract/kernel/protocol.ts'
import { earliest } from '#contract/kernel/time.ts'
import { isOnline } from '#domain/health/member.ts'
import { stateOfStatus } from '#domain/router/presence.ts'

/* State machine of a device's presence: sockets, leases, flapping; and the limit of reconnects. */

/** Presence of the device. All fields but `epoch` are about the newest accepted socket. */
export interface Presence {
  /** Fencing token: grows with each accepted socket; frames of older sockets are ignored. */
  readonly epoch: number
  readonly connected: boolean
  /** The socket's hello was received. */
  readonly greeted: boolean
  readonly base: Exclude<PresenceState, 'flapping' | 'unreadable'>
  readonly flapping: boolean
  readonly since: number | null
  readonly lastSeen: number | null
  readonly reason: string
  /** Time at which a device without a greeted socket becomes offline (离线). */
  readonly decideAt: number | null
  /** Time at which a socket without a hello is closed. */
  readonly helloBy: number | null
  /** Times of online/offline changes and of takeovers within the flap window, oldest first. */
  readonly changes: readonly number[]
  /** Times of `changes` at which a socket took over from one that was alive. */
  readonly takeovers: readonly number[]
  /** Epoch of the connection log line that is open, null for none: a connection outlives a restart under its socket. */
  readonly loggedEpoch: number | null
}

export type PresenceEvent =
  /** `isTakeover`: the socket before it is still alive. `isResumed`: that socket was lost without a close, by a restart. */
  | { readonly type: 'accepted'; readonly isTakeover: boolean; readonly isResumed: boolean }
  | { readonly type: 'greeted' }
  | { readonly type: 'closed'; readonly epoch: number; readonly reason: string }
  /** Lease check: time of the socket's last message, or null without a socket. */
  | { readonly type: 'leaseChecked'; readonly lastReceivedAt: number | null }
  | { readonly type: 'enabled'; readonly on: boolean }
  | { readonly type: 'due' }

export type PresenceEffect =
  | { readonly type: 'log'; readonly epoch: number; readonly online: 0 | 1; readonly reason: string }
  | { readonly type: 'drop'; readonly code: number; readonly reason: string }

interface Step {
  readonly presence: Presence
  readonly effects: readonly PresenceEffect[]
}

export const unseen: Presence = {
  epoch: 0,
  connected: false,
  greeted: false,
  base: 'never',
  flapping: false,
  since: null,
  lastSeen: null,
  reason: '',
  decideAt: null,
  helloBy: null,
  changes: [],
  takeovers: [],
  loggedEpoch: null,
}

/** Pure. Returns the same object when nothing changed. */
export function stepPresence(before: Presence, event: PresenceEvent, now: number): Step {
  const { presence, effects } = transition(before, event, now)
  return { presence: trackChanges(before, presence, now), effects }
}

function transition(p: Presence, event: PresenceEvent, now: number): Step {
  switch (event.type) {
    case 'accepted':
      return onAccepted(p, event, now)
    case 'greeted':
      return onGreeted(p, now)
    case 'closed':
      return event.epoch === p.epoch ? onClosed(p, event.reason, now) : unchanged(p)
    case 'leaseChecked':
      return onLeaseChecked(p, event.lastReceivedAt, now)
    case 'enabled':
      return event.on === (p.base !== 'disabled') ? unchanged(p) : onEnabled(p, event.on, now)
    case 'due':
      return onDue(p, now)
  }
}

const unchanged = (presence: Presence): Step => ({ presence, effects: [] })

/** Closes the open line of the connection log. */
const logOffline = ({ loggedEpoch }: Presence, reason: string): PresenceEffect[] =>
  loggedEpoch === null ? [] : [{ type: 'log', epoch: loggedEpoch, online: 0, reason }]

type Accepted = Extract<PresenceEvent, { type: 'accepted' }>

/** A new socket is not online before its hello; an online device has the grace to send it. */
function onAccepted(p: Presence, { isTakeover, isResumed }: Accepted, now: number): Step {
  const decideAt = p.base === 'online' ? now + PRESENCE.graceMs : p.base === 'reconnecting' ? p.decideAt : null
  const next = { epoch: p.epoch + 1, connected: true, greeted: false, decideAt, helloBy: now + PRESENCE.helloMs }
  const takeovers = isTakeover ? [...p.takeovers, now] : p.takeovers
  if (isResumed && p.base === 'online') return unchanged({ ...p, ...next, takeovers })
  return { presence: { ...p, ...next, takeovers, loggedEpoch: null }, effects: logOffline(p, '设备重新连接') }
}

function onGreeted(p: Presence, now: number): Step {
  if (!p.connected || p.greeted || p.base === 'disabled') return unchanged(p)
  const greeted = { greeted: true, base: 'online', lastSeen: now, reason: '', decideAt: null, helloBy: null } as const
  if (p.loggedEpoch !== null) return unchanged({ ...p, ...greeted })
  return {
    presence: { ...p, ...greeted, loggedEpoch: p.epoch },
    effects: [{ type: 'log', epoch: p.epoch, online: 1, reason: '' }],
  }
}

function onClosed(p: Presence, reason: string, now: number): Step {
  if (!p.connected) return unchanged(p)
  const lastSeen = p.greeted ? now : p.lastSeen // a socket without a hello does not count as seen
  const gone = { ...p, connected: false, greeted: false, helloBy: null, lastSeen, loggedEpoch: null }
  const decideAt = p.greeted ? now + PRESENCE.graceMs : (p.decideAt ?? now + PRESENCE.graceMs)
  return {
    presence: p.base === 'online' ? { ...gone, base: 'reconnecting', reason, decideAt } : gone,
    effects: logOffline(p, reason),
  }
}

function onLeaseChecked(p: Presence, lastReceivedAt: number | null, now: number): Step {
  if (!p.connected) return unchanged(p)
  if (lastReceivedAt === null) {
    if (!p.greeted && p.base !== 'online') return unchanged({ ...p, connected: false, helloBy: null })
    // A deploy restarted the hub under its sockets: the device gets one lease to reconnect before its state changes.
    const hasLease = p.greeted ? p.decideAt !== null : p.helloBy === null
    return unchanged(hasLease ? p : { ...p, helloBy: null, decideAt: now + PRESENCE.leaseMs })
  }
  if (now - lastReceivedAt < PRESENCE.leaseMs) return unchanged(p)
  const reason = `超过${PRESENCE.leaseMs / 1000}秒没有心跳`
  return {
    presence: { ...offline(p, reason), lastSeen: lastReceivedAt },
    effects: [...logOffline(p, reason), { type: 'drop', code: CLOSE.silent, reason: 'lease over' }],
  }
}

function onEnabled(p: Presence, on: boolean, now: number): Step {
  if (on) {
    const { presence: base } = stateOfStatus(1, { lastSeenAt: p.lastSeen, now })
    return unchanged({ ...p, base, reason: base === 'never' ? '' : NOT_BACK })
  }
  return {
    presence: { ...offline(p, ''), base: 'disabled', lastSeen: p.connected && p.greeted ? now : p.lastSeen },
    effects: [...logOffline(p, '设备已停用'), { type: 'drop', code: CLOSE.removed, reason: CLOSED_DISABLED }],
  }
}

function onDue(p: Presence, now: number): Step {
  const decided = (p.decideAt ?? Infinity) <= now ? onDecided(p) : unchanged(p)
  if ((p.helloBy ?? Infinity) > now) return decided
  return {
    presence: { ...decided.presence, connected: false, helloBy: null, loggedEpoch: null },
    effects: [
      ...decided.effects,
      ...logOffline(decided.presence, NO_HELLO),
      { type: 'drop', code: CLOSE.silent, reason: 'no hello' },
    ],
  }
}

function onDecided(p: Presence): Step {
  if (p.connected && p.greeted) {
    const reason = '服务重启后设备没有恢复连接'
    // The socket was lost with the hub before; the first check of the new one is the nearest known time.
    const lastSeen = Math.max(p.lastSeen ?? 0, (p.decideAt ?? 0) - PRESENCE.leaseMs)
    return { presence: { ...offline(p, reason), lastSeen }, effects: logOffline(p, reason) }
  }
  const reason = p.reason || (p.connected ? NO_HELLO : '连接中断')
  const away = { ...p, base: 'offline', reason, decideAt: null, loggedEpoch: null } as const
  return { presence: away, effects: logOffline(p, reason) } // a new socket may be about to send its hello
}

const NO_HELLO = '设备连接后未完成握手'
const NOT_BACK = '启用后设备尚未连接，通常在30秒内恢复'

function offline(p: Presence, reason: string): Presence {
  const base = p.base === 'never' ? 'never' : 'offline'
  return { ...p, connected: false, greeted: false, base, reason, decideAt: null, helloBy: null, loggedEpoch: null }
}

/** Records changes for flap detection, and sets `since` when the shown state changes. */
function trackChanges(before: Presence, after: Presence, now: number): Presence {
  const turned = before.base !== 'never' && (before.base === 'online') !== (after.base === 'online')
  const isTakenOver = after.takeovers.length > before.takeovers.length
  const changes = recent(turned || isTakenOver ? [...before.changes, now] : before.changes, now)
  const takeovers = recent(after.takeovers, now)
  const isOffline = after.base === 'offline' && now >= offlineAt(after)
  const flapping = changes.length >= PRESENCE.flapChanges && after.base !== 'disabled' && !isOffline
  const moved = flapping !== before.flapping || (!flapping && after.base !== before.base)
  if (!moved && after === before && changes === before.changes && takeovers === before.takeovers) return before
  return { ...after, changes, takeovers, flapping, since: moved ? now : before.since }
}

/** Times within the flap window; the same array when none is too old. */
function recent(times: readonly number[], now: number): readonly number[] {
  const kept = times.filter((at) => at > now - PRESENCE.flapWindowMs)
  return kept.length === times.length ? times : kept
}

/** A ping may be late by its spread before its socket counts as dead. */
const PING_LATEST_MS = PRESENCE.pingMs * (1 + PRESENCE.pingSpread)

/** True for a device that has sent a hello and pings in time: a new socket takes over from a living one. */
export const isAlive = ({ connected, greeted }: Presence, lastReceivedAt: number | null, now: number): boolean =>
  connected && greeted && lastReceivedAt !== null && now - lastReceivedAt <= PING_LATEST_MS

/** True for a device whose socket is gone without a close: after a restart, also one before its hello, it comes back. */
export const isResumed = ({ connected }: Presence, lastReceivedAt: number | null): boolean =>
  connected && lastReceivedAt === null

/** Early lease check at the end of the lease, for a device whose ping is late or that a peer suspects; else null. */
export function nextLeaseCheckAt(lastReceivedAt: number | null, isSuspect: boolean, now: number): number | null {
  if (lastReceivedAt === null) return null
  const isLate = now - lastReceivedAt > PING_LATEST_MS
  const endsAt = lastReceivedAt + PRESENCE.leaseMs
  return (isSuspect || isLate) && endsAt > now ? endsAt : null
}

/** A flapping device is offline once it has been disconnected for a whole lease. */
const offlineAt = ({ lastSeen }: Presence): number => (lastSeen ?? 0) + PRESENCE.leaseMs

export function presenceDue(p: Presence): number | null {
  const stableFrom = p.changes.at(-PRESENCE.flapChanges)
  const stableAt = p.flapping && stableFrom !== undefined ? stableFrom + PRESENCE.flapWindowMs : null
  const awayAt = p.flapping && p.base === 'offline' ? offlineAt(p) : null
  return earliest([p.decideAt, p.helloBy, stableAt, awayAt])
}

/** Presence as the hub of the device knows it: only others find it unreadable. */
type OwnPresenceView = PresenceView & { readonly state: Exclude<PresenceState, 'unreadable'> }

export function presenceView(p: Presence): OwnPresenceView {
  return {
    state: p.flapping ? 'flapping' : p.base,
    since: p.since,
    last_seen: p.lastSeen,
    reason: p.flapping ? flapReason(p) : p.reason,
    ...(p.flapping && { live: isOnline({ state: p.base }) }),
  }
}

/** Alternate takeovers come from two devices with one key, as after a copied disk. */
const flapReason = ({ changes, takeovers }: Presence): string =>
  takeovers.length * 2 > changes.length
    ? '重复设备：两台设备使用同一身份，互相顶替连接'
    : `${PRESENCE.flapWindowMs / 60_000}分钟内多次掉线`

export interface ReconnectLimit {
  readonly times: readonly number[]
  readonly closedUntil: number
  readonly pauses: number
  /** Times at which a socket took over from a living one: two devices with one key alternate so. */
  readonly takeovers: readonly number[]
}

export const noReconnects: ReconnectLimit = { times: [], closedUntil: 0, pauses: 0, takeovers: [] }

/**
 * `waitMs` 0 accepts the device. Each pause is twice the last; a calm window resets the backoff. Takeovers beyond their own
 * limit are refused without a pause, so that the device that remains of two with one key is not refused for the other's.
 */
export function limitReconnects(
  before: ReconnectLimit,
  isTakeover: boolean,
  now: number,
): { reconnects: ReconnectLimit; waitMs: number } {
  if (isTakeover) return limitTakeovers(before, now)
  if (now < before.closedUntil) return { reconnects: before, waitMs: before.closedUntil - now }
  const times = [...before.times.filter((at) => at > now - SOCKET_GUARD.reconnectWindowMs), now]
  if (times.length <= SOCKET_GUARD.reconnects) {
    const isCalm = now - before.closedUntil > SOCKET_GUARD.reconnectWindowMs
    return { reconnects: { ...before, times, pauses: isCalm ? 0 : before.pauses }, waitMs: 0 }
  }
  const waitMs = Math.min(SOCKET_GUARD.pauseMs * 2 ** before.pauses, SOCKET_GUARD.pauseMaxMs)
  return { reconnects: { ...before, times: [], closedUntil: now + waitMs, pauses: before.pauses + 1 }, waitMs }
}

function limitTakeovers(before: ReconnectLimit, now: number): { reconnects: ReconnectLimit; waitMs: number } {
  const takeovers = before.takeovers.filter((at) => at > now - SOCKET_GUARD.takeoverWindowMs)
  const [oldest] = takeovers.slice(-SOCKET_GUARD.takeovers)
  return oldest !== undefined && takeovers.length >= SOCKET_GUARD.takeovers
    ? { reconnects: { ...before, takeovers }, waitMs: oldest + SOCKET_GUARD.takeoverWindowMs - now }
    : { reconnects: { ...before, takeovers: [...takeovers, now] }, waitMs: 0 }
}
