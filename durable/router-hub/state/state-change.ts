import { ENDPOINTS, VPN } from '#contract/device/limits.ts'
import { PROBE, PROTOCOL_LEAST, ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import type { LinkReport, ConfigView, TunnelEnd } from '#contract/kernel/protocol.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { ConnectionLog } from '#contract/router/saves.ts'
import { moveBetween } from '#domain/health/history.ts'
import { TROUBLE_CONFIGS, isPresent } from '#domain/health/member.ts'
import type { TunnelDevice } from '#domain/health/reach.ts'
import {
  DEVICE_SETTING_KEYS,
  type DeviceSettingKey,
  OUTDATED,
  type UnsupportedKey,
  unsupportedSettings,
  unsupportedText,
} from '#domain/network/compile/device-settings.ts'
import { unsupportedJobs } from '#domain/network/members/jobs.ts'
import { deviceEndpoints, listEndpoints, tunnelAddress } from '#domain/router/endpoints.ts'
import { findWanAddress, lanNetworks } from '#domain/router/interfaces.ts'
import { endedCommands } from './commands.ts'
import { configView } from './config-push.ts'
import { stepLinkLog } from './link-log.ts'
import type { PartResult, RouterEvent, StepContext, StepEffect } from './machine-events.ts'
import { PERIODS_MAX, enqueue } from './outbox.ts'
import { type PresenceEffect, presenceView } from './presence.ts'
import { type DeviceFacts, type RouterFacts, type RouterState, unknownDevice } from './storage.ts'

/* Last parts of the state machine: links, the outbox for other hubs, and capabilities of the device. */

type Links = RouterState['links']

/** Links that the document names, as the device reports them, and their log. Reports of a disconnected device are stale. */
export function updateLinks(state: RouterState, event: RouterEvent, { now }: StepContext): PartResult {
  const moved = event.type === 'frame' && event.frame.t === 'links' ? movedLinks(state.links, event.frame.links) : []
  const { links: known, ips } =
    event.type === 'refreshed' ? ofDocument(state, event) : { links: state.links, ips: state.linkLog.ips }
  const isStale = isGone(state) && Object.keys(state.links).length > 0
  const links = isStale ? {} : withReports(known, moved)
  const before = ips === state.linkLog.ips ? state.linkLog : { ...state.linkLog, ips }
  const isSteady = links === state.links && !before.isBehind // frames come all the time
  const { log, periods } = isSteady
    ? { log: before, periods: [] }
    : stepLinks({ ...state, links, linkLog: before }, now)
  const effects: StepEffect[] = [
    ...(moved.length > 0 ? [{ type: 'links' as const, links: moved }] : []),
    ...(periods.length > 0 ? [{ type: 'periods' as const, periods }] : []),
  ]
  return [{ ...state, links, linkLog: log }, effects]
}

/** Links and their own addresses as far as a document names them. */
function ofDocument({ links, linkLog: { ips } }: RouterState, event: Extract<RouterEvent, { type: 'refreshed' }>) {
  const known = Object.entries(links).filter(([id]) => event.linkIds.has(id))
  const named = event.linkIps ?? ips
  return {
    links: known.length === Object.keys(links).length ? links : Object.fromEntries(known),
    ips: isSameJson(named, ips) ? ips : named,
  }
}

const isGone = ({ presence }: RouterState): boolean => presence.base === 'offline' || presence.base === 'disabled'

/** A round trip time is reported when it is first known, and again only when it differs by a quarter and 5 ms. */
const movedLinks = (links: Links, reports: readonly LinkReport[]): readonly LinkReport[] =>
  reports.filter(({ id, up, rtt_ms, tunnel, remote }) => {
    const known = links[id]
    if (!known || known.up !== up || (known.rtt_ms === null) !== (rtt_ms === null)) return true
    if (isTunnelMoved(known.tunnel, tunnel) || known.remote !== remote) return true
    return Math.abs((rtt_ms ?? 0) - (known.rtt_ms ?? 0)) > Math.max(5, (known.rtt_ms ?? 0) / 4)
  })

/** A loss is reported when it begins or ends, and again only when it differs by 2 %. */
function isTunnelMoved(known: TunnelEnd | undefined, tunnel: TunnelEnd | undefined): boolean {
  const [before, after] = [known?.loss ?? 0, tunnel?.loss ?? 0]
  if ((before === 0) !== (after === 0) || Math.abs(before - after) >= PROBE.lossStep) return true
  return !isSameJson({ ...known, loss: 0 }, { ...tunnel, loss: 0 })
}

const withReports = (links: Links, moved: readonly LinkReport[]): Links =>
  moved.length === 0 ? links : { ...links, ...Object.fromEntries(moved.map(({ id, ...report }) => [id, report])) }

function stepLinks(state: RouterState, now: number): ReturnType<typeof stepLinkLog> {
  const { router, device, links, linkLog, outbox } = state
  if (!router) return { log: linkLog, periods: [] }
  return stepLinkLog(linkLog, {
    routerName: router.routerName,
    links,
    orig: device?.remoteHost ?? '',
    awaySince: isGone(state) ? lastContact(state, now) : null,
    remaining: PERIODS_MAX - (outbox.periods?.length ?? 0),
    now,
  })
}

/** Puts the changes of the earlier parts into the outbox for the database and other hubs. */
export function updateOutbox(
  state: RouterState,
  event: RouterEvent,
  { before, effects, now }: StepContext,
): PartResult {
  // A network that this router has just joined gets its state and links with the next flush.
  const isRouterChanged = event.type === 'refreshed' && state.router !== before.router
  const outbox = isRouterChanged ? enqueue(state.outbox, {}) : state.outbox
  const isShown = isShownDifferent(before, state)
  const isChanged = isShown || before.device !== state.device
  const logs = effects.flatMap((effect) => (effect.type === 'log' ? [toLogLine(state, effect, now)] : []))
  const periods = effects.flatMap((effect) => (effect.type === 'periods' ? effect.periods : []))
  const answer = event.type === 'frame' && event.frame.t === 'job_result' ? event.frame : null
  const results = endedCommands(before.commands, state.commands, answer)
  const show: StepEffect[] = isShown ? [{ type: 'show' }] : []
  if (!isChanged && results.length + logs.length + periods.length === 0) return [{ ...state, outbox }, show]
  const changeMs = isStillQueued(before, state) ? ROUTER_OUTBOX.queuedMs : 0
  const waitMs = results.length > 0 ? 0 : isChanged ? changeMs : ROUTER_OUTBOX.logsMs
  const entry = {
    logs,
    periods,
    move: moveBetween(presenceView(before.presence), presenceView(state.presence), changedAt(before, state, now)),
    results,
    endpointMoved: isEndpointMoved(before.device, state.device),
    lansMoved: areLansMoved(before.device, state.device),
    vpnMoved: runsTunnels(before.device) !== runsTunnels(state.device),
    isQuiet: !isShown,
    isUrgent: isShown && (isFinalConfig(before, state) || isPresenceMoved(before, state)),
    isPresence: isPresenceMoved(before, state),
    ...(waitMs > 0 && { flushAt: now + waitMs }),
  }
  return [{ ...state, outbox: enqueue(outbox, entry) }, show]
}

/** Time of a change of presence. 离线 begins with the last contact, not with the decision, on every page. */
function changedAt(before: RouterState, after: RouterState, now: number): number {
  if (presenceView(after.presence).state !== 'offline') return now
  return Math.max(presenceView(before.presence).since ?? 0, lastContact(after, now))
}

const lastContact = ({ presence }: RouterState, now: number): number => Math.min(now, presence.lastSeen ?? now)

function toLogLine(
  state: RouterState,
  { epoch, online, reason }: Extract<PresenceEffect, { type: 'log' }>,
  now: number,
): ConnectionLog {
  const { remoteHost, remotePort, version, interfaces } = state.device ?? unknownDevice
  const at = online === 0 && isGone(state) ? lastContact(state, now) : now
  return { epoch, online, remoteHost, remotePort, version, reason, at, localIp: findWanAddress(interfaces) }
}

/** True if only the version of a queued document rose: each edit of a network may raise it for all members. */
const isStillQueued = (before: RouterState, after: RouterState): boolean =>
  before.presence === after.presence &&
  before.device === after.device &&
  before.config.state === 'queued' &&
  after.config.state === 'queued'

/** True if the LANs that a device declares have changed; a port that goes up or down counts as well. */
const areLansMoved = (before: DeviceFacts | null, after: DeviceFacts | null): boolean =>
  before?.interfaces !== after?.interfaces && lansOf(before) !== lansOf(after)

const lansOf = (device: DeviceFacts | null): string =>
  lanNetworks(device?.interfaces ?? [])
    .toSorted()
    .join(' ')

const runsTunnels = (device: DeviceFacts | null): boolean => device?.capabilities?.includes(VPN.capability) === true

/** Addresses of a device that runs tunnels, for the network's hub; null if it runs none. */
export function tunnelDevice(device: DeviceFacts | null): TunnelDevice | null {
  if (device === null || !runsTunnels(device)) return null
  const seenAt = tunnelAddress(device.remoteHost, deviceEndpoints(device))
  return { seenAt, wan: findWanAddress(device.interfaces) }
}

/** True if the device asks for another certificate, or has begun or ceased to run tunnels: its document has other keys. */
export const areKeysMoved = (before: DeviceFacts | null, after: DeviceFacts | null): boolean =>
  (before?.csr ?? null) !== (after?.csr ?? null) || runsTunnels(before) !== runsTunnels(after)

/** True if the device has learned to look up names, or has unlearned it, and its document has or lacks some. */
export const areNamesMoved = ({ router, device }: Pick<RouterState, 'router' | 'device'>): boolean =>
  router?.names !== undefined && (router.names === 'sent') !== takesNames(device)

export const takesNames = (device: DeviceFacts | null): boolean =>
  device?.capabilities?.includes(ENDPOINTS.namesCapability) === true

const isEndpointMoved = (before: DeviceFacts | null, after: DeviceFacts | null): boolean =>
  endpointOf(before) !== endpointOf(after)

const endpointOf = (device: DeviceFacts | null): string => {
  if (device === null || device.probePort === 0) return ''
  const hosts = listEndpoints([], deviceEndpoints(device)).map(({ host }) => host)
  return [...hosts, device.probePort].join(' ')
}

/** True if other hubs and viewers see a change. `last_seen` alone does not count: the next save includes it. */
function isShownDifferent(before: RouterState, after: RouterState): boolean {
  const sources = ['presence', 'config', 'router', 'device'] as const
  if (sources.every((slice) => before[slice] === after[slice])) return false
  const shown = (s: RouterState) => [
    { ...presenceView(s.presence), last_seen: 0 },
    shownConfig(s),
    s.config.refused,
    missingCapabilities(s),
    tunnelDevice(s.device),
  ]
  return !isSameJson(shown(before), shown(after))
}

const isPresenceMoved = (before: RouterState, after: RouterState): boolean =>
  before.presence !== after.presence && presenceView(before.presence).state !== presenceView(after.presence).state

/** True if the configuration has changed to a state that the device has reported. */
function isFinalConfig(before: RouterState, after: RouterState): boolean {
  const [from, to] = [shownConfig(before), shownConfig(after)]
  return FINAL_CONFIGS.has(to.state) && (from.state !== to.state || from.applied_version !== to.applied_version)
}

const FINAL_CONFIGS: ReadonlySet<ConfigView['state']> = new Set(['applied', ...TROUBLE_CONFIGS])

/**
 * True if only slices changed that a device repeats on its next socket: a crash that loses the change also breaks the
 * socket. Epoch, version and commands must not have changed.
 */
export const isRepeatedByDevice = (before: RouterState, after: RouterState): boolean =>
  before.presence === after.presence &&
  before.commands === after.commands &&
  before.config.version === after.config.version

/** Settings that the device does not carry; none is known of a device that has not named its capabilities. */
const missingSettings = ({ device }: Pick<RouterState, 'device'>): readonly DeviceSettingKey[] =>
  device?.capabilities ? unsupportedSettings(DEVICE_SETTING_KEYS, device.capabilities) : []

/** Missing settings with the jobs that the device does not run, as the account's hub keeps them. */
export const missingCapabilities = (state: Pick<RouterState, 'device'>): readonly string[] => [
  ...missingSettings(state),
  ...(state.device?.capabilities ? unsupportedJobs(state.device.capabilities) : []),
]

/** True for a device whose protocol the service no longer speaks. */
export const isOutdated = (device: DeviceFacts | null): boolean => (device?.protocol ?? PROTOCOL_LEAST) < PROTOCOL_LEAST

/** Settings that its document uses and the device does not carry, or the mark of a device that is outdated. */
export function documentUnsupported(state: Pick<RouterState, 'device' | 'router'>): readonly UnsupportedKey[] {
  if (isOutdated(state.device)) return [OUTDATED]
  const missing = missingSettings(state)
  return (state.router?.settings ?? []).filter((key) => missing.includes(key))
}

/**
 * Configuration as shown: failed while the device is present and too old for its document, although some devices confirm
 * settings that they do not know.
 */
export function shownConfig(state: Pick<RouterState, 'config' | 'device' | 'presence' | 'router'>): ConfigView {
  const view = configView(state.config)
  const unsupported = documentUnsupported(state)
  if (unsupported.length === 0 || !isPresent(presenceView(state.presence).state)) return view
  return { ...view, state: 'failed', reason: unsupportedText(unsupported) }
}

/** Numbers of the customers' networks that a node no longer carries. */
export function networksLeft(before: RouterFacts | null, after: RouterFacts): readonly string[] {
  const carried = before?.networks.filter(({ accountId }) => accountId !== undefined) ?? []
  const numbers = new Set(after.networks.map(({ number }) => number))
  return carried.map(({ number }) => number).filter((number) => !numbers.has(number))
}
