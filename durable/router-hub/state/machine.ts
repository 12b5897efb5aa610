import type { DeviceIdentity, Viewer } from '#contract/kernel/hubs.ts'
import { PRESENCE, PROTOCOL_LEAST } from '#contract/kernel/hub-limits.ts'
import { coversAnyNetwork } from '#contract/kernel/permissions.ts'
import { CLOSE, type Hello, type HubFrame } from '#contract/kernel/protocol.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { earliest } from '#contract/kernel/time.ts'
import { firstSeen, seeAddress, settleAddress, settlesAt } from '#domain/router/endpoints.ts'
import {
  type NewCommand,
  addCommand,
  commandsDue,
  expireCommands,
  finishCommand,
  isWaiting,
  newJobs,
  pendingCommands,
} from './commands.ts'
import { type ConfigEvent, configDue, stepConfig } from './config-push.ts'
import type { PartResult, RouterEffect, RouterEvent, StepContext, StepEffect, StepPart } from './machine-events.ts'
import { outboxDue } from './outbox.ts'
import { type PresenceEvent, presenceDue, stepPresence } from './presence.ts'
import { isOutdated, updateLinks, updateOutbox } from './state-change.ts'
import { type DeviceFacts, type RouterFacts, type RouterState, unknownDevice } from './storage.ts'

/* State machine of a router: an event updates presence, facts, configuration, commands, links and outbox, in turn. */

type FrameEvent = Extract<RouterEvent, { type: 'frame' }>
type RefreshedEvent = Extract<RouterEvent, { type: 'refreshed' }>

interface Step {
  readonly state: RouterState
  readonly effects: readonly RouterEffect[]
}

export const isOnline = ({ presence }: RouterState): boolean => presence.connected && presence.greeted

/** True for an online device whose protocol the service still speaks: documents and commands are for these only. */
const isServed = (state: RouterState): boolean => isOnline(state) && !isOutdated(state.device)

/** True for a viewer of the router's own account whose role covers it. */
export const isAuthorized = ({ router }: RouterState, { accountId, grants }: Viewer): boolean =>
  router?.accountId === accountId && coversAnyNetwork(grants, router.seenIn)

type Owner = Pick<RouterFacts, 'accountId' | 'deviceId' | 'keyFingerprint'>

/** True if account, device and key are the same. A key that was reset and is not replaced yet counts as the same. */
export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.accountId === b.accountId &&
  a.deviceId === b.deviceId &&
  (a.keyFingerprint === null || b.keyFingerprint === null || a.keyFingerprint === b.keyFingerprint)

/** True for a device whose return ticket is of the generation that counts, for the same owner and key. */
export const isTicketOf = (router: RouterFacts, device: DeviceIdentity, generation: number): boolean =>
  router.generation === generation &&
  router.accountId === device.accountId &&
  router.deviceId === device.deviceId &&
  router.keyFingerprint === device.keyFingerprint

/** True for rows that take the configuration off the device, which an older or another database does by mistake. */
export const emptiesDevice = (
  { presence, config }: Pick<RouterState, 'presence' | 'config'>,
  { enabled, isEmpty, hash }: RefreshedEvent,
): boolean => (!enabled && presence.base !== 'disabled') || (isEmpty && config.version > 0 && hash !== config.hash)

/** Each part sees the state of the parts before it. Presence is first, because being online decides what the others do. */
const PARTS: readonly StepPart[] = [
  updatePresence,
  updateFacts,
  updateConfig,
  updateCommands,
  updateLinks,
  updateOutbox,
]

/** Pure: one event goes through all parts, and their effects are concatenated. Unchanged slices keep their identity. */
export function step(before: RouterState, event: RouterEvent, now: number): Step {
  let state = before
  let effects: readonly StepEffect[] = []
  for (const part of PARTS) {
    const [next, added] = part(state, event, { before, effects, now })
    state = next
    effects = [...effects, ...added]
  }
  return { state, effects: effects.filter((effect) => effect.type !== 'log' && effect.type !== 'periods') }
}

/** Ignores a hello of a superseded socket or of a disabled device. */
function updatePresence(state: RouterState, event: RouterEvent, { now }: StepContext): PartResult {
  if (event.type === 'keyReset') return [state, [{ type: 'drop', code: CLOSE.removed, reason: 'key reset' }]]
  const presenceEvent = toPresenceEvent(event)
  if (presenceEvent === null) return [state, []]
  const { presence, effects } = stepPresence(state.presence, presenceEvent, now)
  const next = { ...state, presence }
  return presenceEvent.type === 'greeted' && !isOnline(next) ? [state, []] : [next, effects]
}

function toPresenceEvent(event: RouterEvent): PresenceEvent | null {
  switch (event.type) {
    case 'accepted':
    case 'closed':
    case 'leaseChecked':
    case 'due':
      return event
    case 'refreshed':
      return { type: 'enabled', on: event.enabled }
    case 'frame':
      return event.frame.t === 'hello' ? { type: 'greeted' } : null
    default:
      return null
  }
}

/** Facts from the router's rows, and those that the device reports about itself. */
function updateFacts(state: RouterState, event: RouterEvent, { now }: StepContext): PartResult {
  switch (event.type) {
    case 'refreshed': {
      const keyFingerprint = event.router.keyFingerprint ?? state.router?.keyFingerprint ?? null // kept over a reset
      const router = { ...event.router, keyFingerprint, ...generationAfter(state, event) }
      return [isSameJson(router, state.router) ? state : { ...state, router }, []]
    }
    case 'accepted':
      return [withOrigin(state, event.identity, now), []]
    case 'due':
      return [withSettledAddress(state, now), []]
    case 'keyReset':
      return [state.device?.csr ? withDevice(state, { csr: null }) : state, []] // of the former key
    case 'frame':
      return [withReport(state, event), []]
    default:
      return [state, []]
  }
}

function withOrigin(state: RouterState, { remoteHost, remotePort }: DeviceIdentity, now: number): RouterState {
  const known = state.device?.seen ?? firstSeen(state.device?.remoteHost ?? '')
  return withDevice(state, { remoteHost, remotePort, seen: seeAddress(known, remoteHost, now) })
}

/** The address of the present connection counts once it has stood long enough. */
function withSettledAddress(state: RouterState, now: number): RouterState {
  const seen = state.device?.seen
  return seen === undefined || !isOnline(state) ? state : withDevice(state, { seen: settleAddress(seen, now) })
}

/** Tickets count for as long as the rows let the device connect, and never again after that. */
function generationAfter({ router }: RouterState, event: RefreshedEvent): Pick<RouterFacts, 'generation'> {
  if (!event.enabled || event.router.keyFingerprint === null) return { generation: null }
  return router?.generation ? { generation: router.generation } : {}
}

function withReport(state: RouterState, { frame }: FrameEvent): RouterState {
  if (frame.t === 'interfaces') {
    return state.device ? { ...state, device: { ...state.device, interfaces: frame.interfaces } } : state
  }
  if (frame.t !== 'hello' || !isOnline(state)) return state
  const { probe_port: probePort, agent_version: version, mac, interfaces, capabilities, protocol, csr = null } = frame
  const endpoints = frame.endpoints ?? (state.device?.endpoints && [])
  const facts = { probePort, version, mac, interfaces, capabilities, protocol, csr, ...(endpoints && { endpoints }) }
  return withDevice(state, facts)
}

function withDevice(state: RouterState, facts: Partial<DeviceFacts>): RouterState {
  const device = { ...(state.device ?? unknownDevice), ...facts }
  return isSameJson(device, state.device) ? state : { ...state, device }
}

/** Order on a fresh socket: welcome, the document if it differs, then commands. */
function updateConfig(state: RouterState, event: RouterEvent, { before, now }: StepContext): PartResult {
  let { config } = state
  const pushes: RouterEffect[] = []
  for (const configEvent of toConfigEvents(state, event, before)) {
    const next = stepConfig(config, configEvent, isServed(state), now)
    config = next.config
    if (next.push) pushes.push({ type: 'push' })
  }
  const next = config === state.config ? state : { ...state, config }
  const isWelcome = event.type === 'frame' && event.frame.t === 'hello' && isOnline(state)
  return [next, isWelcome ? [{ type: 'send', frame: toWelcome(next, event, now) }, ...pushes] : pushes]
}

function toConfigEvents(state: RouterState, event: RouterEvent, before: RouterState): readonly ConfigEvent[] {
  const lost = { type: state.presence.base === 'disabled' ? 'emptied' : 'lost' } as const
  return [...(isOnline(before) && !isOnline(state) ? [lost] : []), ...toOwnEvents(state, event, before)]
}

function toOwnEvents(state: RouterState, event: RouterEvent, before: RouterState): readonly ConfigEvent[] {
  switch (event.type) {
    case 'refreshed':
      return [toCompiled(event)]
    case 'due':
    case 'resend':
    case 'released':
      return [event]
    case 'keyReset':
      return [{ type: 'emptied' }]
    case 'frame':
      return toReports(state, event, before)
    default:
      return []
  }
}

const toCompiled = ({
  hash,
  isEmpty,
  floor,
  isHeld = false,
}: Extract<RouterEvent, { type: 'refreshed' }>): ConfigEvent => ({ type: 'compiled', hash, isEmpty, floor, isHeld })

function toReports(state: RouterState, { frame }: FrameEvent, before: RouterState): readonly ConfigEvent[] {
  if (isOutdated(state.device))
    return frame.t === 'hello' || frame.t === 'counters' ? [{ type: 'outdated', applied: frame.applied }] : []
  if (frame.t === 'counters') return [{ type: 'reported', applied: frame.applied }]
  if (frame.t === 'config_result') return [{ type: 'result', result: frame }]
  if (frame.t !== 'hello' || !isOnline(state)) return []
  // A repeated hello is a mere report.
  const greeted = { type: before.presence.greeted ? 'reported' : 'greeted', applied: frame.applied } as const
  return isUpgraded(before, frame) ? [greeted, { type: 'upgraded' }] : [greeted]
}

const isUpgraded = ({ device }: RouterState, { capabilities }: Hello): boolean =>
  !isSameJson(capabilities, device?.capabilities ?? capabilities)

const toWelcome = ({ presence, config, device }: RouterState, event: FrameEvent, now: number): HubFrame => ({
  t: 'welcome',
  epoch: presence.epoch,
  server_time: now,
  heartbeat_s: PRESENCE.pingMs / 1000,
  spread_s: event.spreadMs / 1000,
  desired: config.version === 0 ? null : { version: config.version, hash: config.hash },
  ...(event.ticket !== undefined && { ticket: event.ticket }),
  ...(event.entries && { entries: [...event.entries] }),
  ...(isOutdated(device) && { least_protocol: PROTOCOL_LEAST }),
})

/** New commands are sent at once to a connected device, else after its next hello. */
function updateCommands(state: RouterState, event: RouterEvent, { now }: StepContext): PartResult {
  const { commands } = state
  switch (event.type) {
    case 'due':
      return [{ ...state, commands: expireCommands(commands, now) }, []]
    case 'refreshed':
      return addCommands(state, newJobs(commands, event.jobs ?? []))
    case 'requested':
      return addCommands(state, isWaiting(commands, event.command) ? [] : [event.command])
    case 'frame': {
      const { frame } = event
      if (frame.t === 'job_result') return [{ ...state, commands: finishCommand(commands, frame) }, []]
      return [state, frame.t === 'hello' && isServed(state) ? pendingCommands(commands, now).map(toSend) : []]
    }
    default:
      return [state, []]
  }
}

function addCommands(state: RouterState, added: readonly NewCommand[]): PartResult {
  if (added.length === 0) return [state, []]
  const commands = added.reduce(addCommand, state.commands)
  return [{ ...state, commands }, isServed(state) ? added.map(toSend) : []]
}

const toSend = ({ id, kind, params, expiresAt }: NewCommand): RouterEffect => ({
  type: 'send',
  frame: { t: 'command', id, kind, params: { ...params }, expires_at: expiresAt },
})

export function nextDue(state: RouterState): number | null {
  const { router, device, presence, config, commands, outbox } = state
  const changesAt = router?.changesAt ?? null
  const settled = device?.seen && isOnline(state) ? settlesAt(device.seen) : null
  const due = [presenceDue(presence), configDue(config), commandsDue(commands), outboxDue(outbox)]
  return earliest([...due, changesAt, settled])
}
