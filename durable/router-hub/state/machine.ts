import type { Viewer } from '#contract/kernel/hubs.ts'
import { PRESENCE, ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { coversAnyNetwork } from '#contract/kernel/permissions.ts'
import { CLOSE, type Hello, type HubFrame, type LinkReport } from '#contract/kernel/protocol.ts'
import { isSameJson } from '#contract/kernel/same-json.ts'
import { moveBetween } from '#domain/health/history.ts'
import { findWanAddress } from '#domain/router/interfaces.ts'
import {
  type NewCommand,
  addCommand,
  commandsDue,
  endedCommands,
  expireCommands,
  finishCommand,
  newJobs,
  pendingCommands,
} from './commands.ts'
import { type ConfigEvent, configDue, stepConfig } from './config-push.ts'
import { stepLinkLog } from './link-log.ts'
import { type ConnectionLog, PERIODS_MAX, enqueue, outboxDue } from './outbox.ts'
import { type PresenceEffect, type PresenceEvent, presenceDue, presenceView, stepPresence } from './presence.ts'
import type { RouterEffect, RouterEvent } from './machine-events.ts'
import { areLansMoved, isEndpointMoved, isShownDifferent } from './state-change.ts'
import { type RouterFacts, type RouterState, unknownDevice } from './storage.ts'

type FrameEvent = Extract<RouterEvent, { type: 'frame' }>

interface Step {
  readonly state: RouterState
  readonly effects: readonly RouterEffect[]
}

export const isOnline = ({ presence }: RouterState): boolean => presence.connected && presence.greeted

/** A viewer of the router's own account whose role covers it. */
export const isAuthorized = ({ router }: RouterState, { accountId, grants }: Viewer): boolean =>
  router?.accountId === accountId && coversAnyNetwork(grants, router.seenIn)

type Owner = Pick<RouterFacts, 'accountId' | 'deviceId' | 'keyFingerprint'>

/** Whether account, device and key are the same. A key that was reset and is not replaced yet counts as the same. */
export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.accountId === b.accountId &&
  a.deviceId === b.deviceId &&
  (a.keyFingerprint === null || b.keyFingerprint === null || a.keyFingerprint === b.keyFingerprint)

/** Pure: one event changes every slice it concerns. Unchanged slices keep their identity. */
export function step(before: RouterState, event: RouterEvent, now: number): Step {
  const moved = transition(before, event, now)
  const shown = isShownDifferent(before, moved.state)
  const isChanged = shown || before.device !== moved.state.device
  const endpointMoved = isEndpointMoved(before.device, moved.state.device)
  const lansMoved = areLansMoved(before.device, moved.state.device)
  const gone = moved.state.presence.base === 'offline' || moved.state.presence.base === 'disabled'
  const links = gone && Object.keys(before.links).length > 0 ? {} : moved.state.links // link reports of a disconnected device are stale
  const { log: linkLog, periods } = stepLinks(before, { ...moved.state, links }, now)
  const results = endedCommands(before.commands, moved.state.commands)
  const isEnded = results.length > 0
  const changeMs = isStillQueued(before, moved.state) ? ROUTER_OUTBOX.queuedMs : 0
  const waitMs = isEnded ? 0 : isChanged ? changeMs : ROUTER_OUTBOX.logsMs
  const move = moveBetween(presenceView(before.presence), presenceView(moved.state.presence), now)
  const entry = {
    logs: moved.logs,
    periods,
    move,
    results,
    endpointMoved,
    lansMoved,
    isQuiet: !shown,
    ...(waitMs > 0 && { flushAt: now + waitMs }),
  }
  const isLogged = moved.logs.length + periods.length > 0
  const outbox = isChanged || isEnded || isLogged ? enqueue(moved.state.outbox, entry) : moved.state.outbox
  const state = { ...moved.state, links, linkLog, outbox }
  return { state, effects: shown ? [...moved.effects, { type: 'show' }] : moved.effects }
}

/** Steps the link log, only where links moved or some wait for their period: frames come all the time. */
function stepLinks(
  before: RouterState,
  { router, device, presence, links, linkLog, outbox }: RouterState,
  now: number,
) {
  if (!router || (links === before.links && !linkLog.isBehind)) return { log: linkLog, periods: [] }
  const isGone = presence.base === 'offline' || presence.base === 'disabled'
  return stepLinkLog(linkLog, {
    routerName: router.routerName,
    links,
    orig: device?.remoteHost ?? '',
    awaySince: isGone ? Math.min(now, presence.lastSeen ?? now) : null,
    remaining: PERIODS_MAX - (outbox.periods?.length ?? 0),
    now,
  })
}

/** Whether only the version moved of a queued document: each edit of a network may do that to all its members. */
const isStillQueued = (before: RouterState, after: RouterState): boolean =>
  before.presence === after.presence &&
  before.device === after.device &&
  before.config.state === 'queued' &&
  after.config.state === 'queued'

interface Transition extends Step {
  readonly logs: readonly ConnectionLog[]
}

const plain = (state: RouterState, effects: readonly RouterEffect[] = []): Transition => ({ state, effects, logs: [] })

function transition(s: RouterState, event: RouterEvent, now: number): Transition {
  switch (event.type) {
    case 'refreshed':
      return onRefreshed(s, event, now)
    case 'accepted': {
      const { remoteHost, remotePort } = event.identity
      const device = { ...(s.device ?? unknownDevice), remoteHost, remotePort }
      return withPresence({ ...s, device: isSameJson(device, s.device) ? s.device : device }, event, now)
    }
    case 'frame':
      return onFrame(s, event, now)
    case 'closed':
    case 'leaseChecked':
      return withPresence(s, event, now)
    case 'due': {
      const due = withPresence({ ...s, commands: expireCommands(s.commands, now) }, event, now)
      return andConfig(due, { type: 'due' }, now)
    }
    case 'keyReset': {
      const drop = { type: 'drop' as const, code: CLOSE.removed, reason: 'key reset' }
      return andConfig(plain(s, [drop]), { type: 'emptied' }, now)
    }
    case 'resend':
      return andConfig(plain(s), event, now)
    case 'requested':
      return onRequested(s, event.command)
  }
}

/** Presence before configuration, because being online decides whether a document is pushed. */
function withPresence(s: RouterState, event: PresenceEvent | RouterEvent, now: number): Transition {
  const { presence, effects } = stepPresence(s.presence, event as PresenceEvent, now)
  const state = { ...s, presence }
  const logs = effects.filter((e) => e.type === 'log').map((e) => logLine(state, e, now))
  const moved = { state, effects: effects.filter((e) => e.type === 'drop'), logs }
  if (!isOnline(s) || isOnline(state)) return moved
  const isRemoved = moved.effects.some(({ code }) => code === CLOSE.removed)
  return andConfig(moved, { type: isRemoved ? 'emptied' : 'lost' }, now)
}

function logLine(
  { device }: RouterState,
  { epoch, online, reason }: Extract<PresenceEffect, { type: 'log' }>,
  now: number,
): ConnectionLog {
  const { remoteHost, remotePort, version, interfaces } = device ?? unknownDevice
  return { epoch, online, remoteHost, remotePort, version, reason, at: now, localIp: findWanAddress(interfaces) }
}

function andConfig(moved: Transition, event: ConfigEvent, now: number): Transition {
  const { config, push } = stepConfig(moved.state.config, event, isOnline(moved.state), now)
  const state = config === moved.state.config ? moved.state : { ...moved.state, config }
  return { ...moved, state, effects: push ? [...moved.effects, { type: 'push' }] : moved.effects }
}

function onRefreshed(s: RouterState, event: Extract<RouterEvent, { type: 'refreshed' }>, now: number): Transition {
  const keyFingerprint = event.router.keyFingerprint ?? s.router?.keyFingerprint ?? null // kept over a reset
  const fresh = { ...event.router, keyFingerprint }
  const router = isSameJson(fresh, s.router) ? s.router : fresh
  const known = Object.entries(s.links).filter(([id]) => event.linkIds.has(id))
  const links = known.length === Object.keys(s.links).length ? s.links : Object.fromEntries(known)
  const ips = event.linkIps ?? s.linkLog.ips
  const linkLog = isSameJson(ips, s.linkLog.ips) ? s.linkLog : { ...s.linkLog, ips }
  const enabled = withPresence({ ...s, router, links, linkLog }, { type: 'enabled', on: event.enabled }, now)
  const moved = andConfig(enabled, { ...event, type: 'compiled' }, now)
  // A network that this router has just joined gets its state and links with the next flush.
  const outbox = router === s.router ? moved.state.outbox : enqueue(moved.state.outbox, {})
  return withJobs({ ...moved, state: { ...moved.state, outbox } }, event.jobs ?? [])
}

/** Adds commands: sent at once to a connected device, after the document; to another one with its next welcome. */
function withJobs(moved: Transition, jobs: readonly NewCommand[]): Transition {
  const fresh = newJobs(moved.state.commands, jobs)
  if (fresh.length === 0) return moved
  const commands = fresh.reduce(addCommand, moved.state.commands)
  const frames = fresh.map((command): RouterEffect => ({ type: 'send', frame: toCommandFrame(command) }))
  const effects = isOnline(moved.state) ? [...moved.effects, ...frames] : moved.effects
  return { ...moved, state: { ...moved.state, commands }, effects }
}

function onFrame(s: RouterState, { frame, spreadMs }: FrameEvent, now: number): Transition {
  switch (frame.t) {
    case 'hello':
      return onHello(s, frame, spreadMs, now)
    case 'counters':
      return andConfig(plain(s), { type: 'reported', applied: frame.applied }, now)
    case 'config_result':
      return andConfig(plain(s), { type: 'result', result: frame }, now)
    case 'links':
      return onLinks(s, frame.links)
    case 'interfaces':
      return plain(s.device ? { ...s, device: { ...s.device, interfaces: frame.interfaces } } : s)
    case 'dial':
    case 'flows':
      return plain(s)
    case 'job_result':
      return plain({ ...s, commands: finishCommand(s.commands, frame) })
  }
}

/** Order on a fresh socket: welcome, the document if it differs, then commands. A repeated hello is a mere report. */
function onHello(s: RouterState, hello: Hello, spreadMs: number, now: number): Transition {
  const device = {
    ...(s.device ?? unknownDevice),
    probePort: hello.probe_port,
    version: hello.agent_version,
    mac: hello.mac,
    interfaces: hello.interfaces,
    capabilities: hello.capabilities,
  }
  const greeted = withPresence(
    { ...s, device: isSameJson(device, s.device) ? s.device : device },
    { type: 'greeted' } satisfies PresenceEvent,
    now,
  )
  if (!isOnline(greeted.state)) return plain(s) // the socket was superseded or the device disabled
  const isRepeated = s.presence.greeted
  const reported = andConfig(
    { ...greeted, effects: [] },
    { type: isRepeated ? 'reported' : 'greeted', applied: hello.applied },
    now,
  )
  // A document that another release of the device refused, this one may take.
  const isUpgraded = !isSameJson(hello.capabilities, s.device?.capabilities ?? hello.capabilities)
  const isRetried = isUpgraded && reported.state.config.state === 'unsynced'
  const configured = isRetried ? andConfig(reported, { type: 'resend' }, now) : reported
  const { version, hash } = configured.state.config
  const welcome: HubFrame = {
    t: 'welcome',
    epoch: greeted.state.presence.epoch,
    server_time: now,
    heartbeat_s: PRESENCE.pingMs / 1000,
    spread_s: spreadMs / 1000,
    desired: version === 0 ? null : { version, hash },
  }
  const commands = pendingCommands(s.commands, now).map((command): RouterEffect => ({
    type: 'send',
    frame: toCommandFrame(command),
  }))
  const effects = [...greeted.effects, { type: 'send' as const, frame: welcome }, ...configured.effects, ...commands]
  return { ...configured, effects }
}

/** A round trip time is reported again only when it differs by a quarter and 5 ms. */
function onLinks(s: RouterState, reports: readonly LinkReport[]): Transition {
  const moved = reports.filter(({ id, up, rtt_ms }) => {
    const known = s.links[id]
    const apart = Math.abs((rtt_ms ?? 0) - (known?.rtt_ms ?? 0))
    return !known || known.up !== up || apart > Math.max(5, (known.rtt_ms ?? 0) / 4)
  })
  if (moved.length === 0) return plain(s)
  const links = { ...s.links, ...Object.fromEntries(moved.map(({ id, up, rtt_ms }) => [id, { up, rtt_ms }])) }
  return plain({ ...s, links }, [{ type: 'links', links: moved }])
}

function onRequested(s: RouterState, command: NewCommand): Transition {
  if (s.commands.some(({ kind, state }) => kind === command.kind && state === 'pending')) return plain(s)
  const commands = addCommand(s.commands, command)
  return plain({ ...s, commands }, isOnline(s) ? [{ type: 'send', frame: toCommandFrame(command) }] : [])
}

const toCommandFrame = ({ id, kind, params, expiresAt }: NewCommand): HubFrame => ({
  t: 'command',
  id,
  kind,
  params: { ...params },
  expires_at: expiresAt,
})

/** Time of the next timer; null for none. */
export function nextDue({ router, presence, config, commands, outbox }: RouterState): number | null {
  const changesAt = router?.changesAt ?? null
  const times = [presenceDue(presence), configDue(config), commandsDue(commands), outboxDue(outbox), changesAt].filter(
    (at) => at !== null,
  )
  return times.length > 0 ? Math.min(...times) : null
}
