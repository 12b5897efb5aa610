import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import type { AgentFrame, ConfigState, ConfigView, HubFrame } from '#contract/kernel/protocol.ts'
import type { RefusedNetwork } from '#domain/router/refused-networks.ts'

/* State machine that pushes a router's document to its device, and counts results and retries. */

interface VersionHash {
  readonly version: number
  readonly hash: string
}

/** Version, hash and delivery state of the desired document; the document itself is stored separately (storage.ts). */
export interface ConfigPush {
  /**
   * Version that never falls. 0: the router was never in a network; `hash` is then that of the empty document, once known.
   */
  readonly version: number
  readonly hash: string
  readonly state: ConfigState
  readonly reason: string
  readonly at: number | null
  /** Time at which the device last ran the desired document; until it does, that of an earlier one. */
  readonly confirmedAt: number | null
  /** Version and hash that the device last reported to run. */
  readonly applied: VersionHash | null
  /** The device acknowledged this document: if it reconnects without it, the attempt counts as failed. */
  readonly received: boolean
  /** Failed attempts with this document since the device last confirmed it. */
  readonly tries: number
  readonly pushedAt: number | null
  /** Time of the next push: coalesced, or a retry. */
  readonly pushAt: number | null
  /** No answer by then counts as a failure. */
  readonly answerBy: number | null
  /** Time until which a document with new tunnels waits for the centres at their other ends; null: it does not wait. */
  readonly heldUntil: number | null
  /** Networks that a node refused of the document that it runs. */
  readonly refused: readonly RefusedNetwork[]
}

export type ConfigFrame = Extract<HubFrame, { t: 'config' }>
type ConfigResult = Extract<AgentFrame, { t: 'config_result' }>

export type ConfigEvent =
  /** `floor`: the highest recorded version; `isEmpty`: a document without networks; `isHeld`: it waits for centres. */
  | {
      readonly type: 'compiled'
      readonly hash: string
      readonly isEmpty: boolean
      readonly floor: number
      readonly isHeld?: boolean
    }
  /** The centres that this version waits for run their documents. */
  | { readonly type: 'released'; readonly version: number }
  | { readonly type: 'resend' }
  /** Another release of the device may take a document that the one before refused. */
  | { readonly type: 'upgraded' }
  | { readonly type: 'greeted'; readonly applied: VersionHash | null }
  | { readonly type: 'reported'; readonly applied: VersionHash | null }
  /** Report of a device that takes no document, because its protocol is too old. */
  | { readonly type: 'outdated'; readonly applied: VersionHash | null }
  | { readonly type: 'result'; readonly result: ConfigResult }
  | { readonly type: 'lost' }
  /** The device was closed with 4002, on which it takes its configuration off. */
  | { readonly type: 'emptied' }
  | { readonly type: 'due' }

interface Step {
  readonly config: ConfigPush
  /** Send the desired document now. */
  readonly push: boolean
}

export const noDocument: ConfigPush = {
  version: 0,
  hash: '',
  state: 'none',
  reason: '',
  at: null,
  confirmedAt: null,
  applied: null,
  received: false,
  tries: 0,
  pushedAt: null,
  pushAt: null,
  answerBy: null,
  heldUntil: null,
  refused: [],
}

/** Pure. `online`: the device takes documents, as its hello was received. Returns the same object when nothing changed. */
export function stepConfig(c: ConfigPush, event: ConfigEvent, online: boolean, now: number): Step {
  switch (event.type) {
    case 'compiled':
      return onCompiled(c, event, online, now)
    case 'released':
      return onReleased(c, event.version, online, now)
    case 'resend':
      return onResend(c, online, now)
    case 'upgraded':
      return c.state === 'unsynced' ? onResend(c, online, now) : unchanged(c)
    case 'greeted':
      return onGreeted(aboveApplied(withApplied(c, event.applied)), now)
    case 'reported':
      return onReported(withApplied(c, event.applied), now)
    case 'outdated':
      return unchanged(onOutdated(withApplied(c, event.applied), now))
    case 'result':
      return onResult(c, event.result, now)
    case 'lost':
      return c.state === 'pushing' ? unchanged(queued(c, now)) : unchanged(c)
    case 'emptied':
      return c.applied === null ? unchanged(c) : unchanged(onEmptied(c, now))
    case 'due':
      return onDue(c, online, now)
  }
}

const unchanged = (config: ConfigPush): Step => ({ config, push: false })

function onCompiled(
  c: ConfigPush,
  { hash, isEmpty, floor, isHeld = false }: Extract<ConfigEvent, { type: 'compiled' }>,
  online: boolean,
  now: number,
): Step {
  if (hash === c.hash) return unchanged(c)
  if (c.version === 0 && isEmpty && floor === 0)
    return online ? pushEmptyDocument({ ...c, hash }, now) : unchanged({ ...c, hash })
  const reported = c.applied?.version ?? 0
  const known = Math.max(c.version, floor, reported <= CONFIG_PUSH.versionMax ? reported : 0)
  if (c.version === 0 && c.applied?.hash === hash && c.applied.version === known) {
    return unchanged(markConfirmed({ ...c, version: known, hash }, now)) // a hub without history finds the device up to date
  }
  const next = { ...c, version: known + 1, hash, reason: '', received: false, tries: 0, at: now }
  return pushOrCoalesce(isHeld ? withHold(next, now) : next, online, now)
}

/** A later document waits no longer than the first of a hold. */
const withHold = (c: ConfigPush, now: number): ConfigPush => ({
  ...c,
  heldUntil: c.heldUntil ?? now + CONFIG_PUSH.holdMs,
})

function onReleased(c: ConfigPush, version: number, online: boolean, now: number): Step {
  if (c.heldUntil === null || c.version !== version) return unchanged(c)
  return pushOrCoalesce({ ...c, heldUntil: null }, online, now)
}

/** Pushes the empty document to a device that still runs the document of an earlier account. */
function pushEmptyDocument(c: ConfigPush, now: number): Step {
  const { applied } = c
  if (c.hash === '' || applied === null || applied.hash === c.hash) return unchanged(c)
  return push({ ...c, version: applied.version + 1 }, now)
}

/** Throttle: the first change is pushed at once, those of the next second or of a hold as one push of the latest. */
function pushOrCoalesce(c: ConfigPush, online: boolean, now: number): Step {
  if (!online) return unchanged(queued(c, now))
  const coalesceUntil = c.pushedAt === null ? now : c.pushedAt + CONFIG_PUSH.coalesceMs
  const pushAt = Math.max(coalesceUntil, c.heldUntil ?? now)
  return pushAt <= now ? push(c, now) : unchanged({ ...c, state: 'pushing', pushAt, answerBy: null })
}

function onResend(c: ConfigPush, online: boolean, now: number): Step {
  if (c.version === 0) return unchanged(c)
  return online ? push({ ...c, tries: 0 }, now) : unchanged(queued({ ...c, tries: 0 }, now))
}

function onGreeted(c: ConfigPush, now: number): Step {
  if (c.version === 0) return pushEmptyDocument(c, now)
  if (c.applied?.hash === c.hash) return unchanged(markConfirmed(c, now))
  if (c.state === 'unsynced' || isPausing(c)) return unchanged(c)
  if (c.state === 'applied' && c.applied !== null)
    return failAttempt(c, 'reverted', '设备重新连接后已不再运行该配置', now)
  // Applied, and nothing runs: a first document on which the device died, or a disk that was cleared.
  const isAcknowledged = c.state === 'applied' || (c.received && (c.state === 'pushing' || c.state === 'queued'))
  if (!isAcknowledged) return push(c, now)
  // The device may still be applying the document, so no failure is shown before all attempts are used.
  return c.tries < CONFIG_PUSH.automaticTries
    ? push({ ...c, tries: c.tries + 1 }, now)
    : failAttempt(c, 'failed', '设备多次重新连接后仍未应用该配置', now)
}

function onReported(c: ConfigPush, now: number): Step {
  if (c.version === 0) return pushEmptyDocument(c, now)
  const isOlder = c.state === 'pushing' && c.applied?.version !== c.version // A → B → A: the first A, before B
  if (c.applied?.hash === c.hash) return unchanged(isOlder ? c : markApplied(c, now))
  if (c.state === 'queued') return push(c, now)
  return c.state === 'applied' ? failAttempt(c, 'failed', '设备上的配置与下发的不一致', now) : unchanged(c)
}

function onResult(c: ConfigPush, { version, hash, state, reason = '', refused = [] }: ConfigResult, now: number): Step {
  const isApplied = state === 'applied' || state === 'confirmed'
  if (c.version === 0 || hash !== c.hash || version !== c.version) {
    return isApplied ? onReported(withApplied(c, { version, hash }), now) : unchanged(c)
  }
  if (state === 'confirmed') return unchanged(markConfirmed(withApplied(c, { version, hash }), now))
  if (state === 'applied') return unchanged(markApplied(withRefused(withApplied(c, { version, hash }), refused), now))
  if (state === 'received') return unchanged(c.received ? c : { ...c, received: true })
  return onFailure(c, state, reason, now)
}

/** A reverted document is no longer applied. The attempt counts once: here, or at the hello if the device reconnects. */
function onFailure(c: ConfigPush, state: 'failed' | 'reverted', reason: string, now: number): Step {
  const reverted = state === 'reverted' && c.applied?.hash === c.hash ? { ...c, applied: null } : c
  if (isNewFailure(c, state)) return failAttempt(reverted, state, reason, now)
  const isCounted = state === 'reverted' && (c.state === 'reverted' || c.state === 'unsynced') // with its hello
  return unchanged(isCounted && reason !== '' && reason !== c.reason ? { ...reverted, reason } : reverted)
}

/** True while a retry is scheduled. */
const isPausing = (c: ConfigPush): boolean => (c.state === 'failed' || c.state === 'reverted') && c.pushAt !== null

/** A failure counts once for each push; a late duplicate must not count as the next attempt's. */
function isNewFailure(c: ConfigPush, state: 'failed' | 'reverted'): boolean {
  const isAwaited = c.state === 'pushing' && c.pushAt === null
  return isAwaited || (state === 'reverted' && c.state === 'applied')
}

function onDue(c: ConfigPush, online: boolean, now: number): Step {
  const due = configDue(c)
  if (due === null || due > now) return unchanged(c)
  if (!online) return unchanged(c.state === 'pushing' ? queued(c, now) : { ...c, pushAt: null, answerBy: null })
  return c.pushAt !== null ? push(c, now) : failAttempt(c, 'failed', '设备未在规定时间内回报结果', now)
}

function onOutdated(c: ConfigPush, now: number): ConfigPush {
  if (c.version > 0 && c.applied?.hash === c.hash) return markApplied(c, now)
  return c.state === 'pushing' ? queued(c, now) : c
}

function push(c: ConfigPush, now: number): Step {
  return {
    config: {
      ...c,
      state: 'pushing',
      at: c.state === 'pushing' ? c.at : now,
      received: false,
      pushedAt: now,
      pushAt: null,
      answerBy: now + CONFIG_PUSH.answerMs,
      heldUntil: null,
    },
    push: true,
  }
}

const queued = (c: ConfigPush, now: number): ConfigPush => ({
  ...c,
  state: 'queued',
  at: now,
  pushAt: null,
  answerBy: null,
  heldUntil: null,
})

const onEmptied = (c: ConfigPush, now: number): ConfigPush =>
  c.version === 0 ? { ...c, applied: null } : queued({ ...c, applied: null, tries: 0 }, now)

function failAttempt(c: ConfigPush, state: 'failed' | 'reverted', reason: string, now: number): Step {
  const isLast = c.tries >= CONFIG_PUSH.automaticTries
  return unchanged({
    ...c,
    state: isLast ? 'unsynced' : state,
    reason,
    at: now,
    confirmedAt: state === 'reverted' ? null : c.confirmedAt, // the device runs an older document again
    tries: c.tries + 1,
    pushAt: isLast ? null : now + CONFIG_PUSH.retryMs * (c.tries + 1),
    answerBy: null,
  })
}

/** Applied, maybe on trial: a document that cuts the device off is reverted later, so failed attempts go on counting. */
function markApplied(c: ConfigPush, now: number): ConfigPush {
  if (c.state === 'applied' && c.pushAt === null && c.answerBy === null) return c
  return { ...c, state: 'applied', reason: '', at: now, confirmedAt: now, pushAt: null, answerBy: null }
}

/** Applied, and the device reached the hub with it: resets the failed attempts. */
function markConfirmed(c: ConfigPush, now: number): ConfigPush {
  const config = markApplied(c, now)
  return config.tries === 0 ? config : { ...config, tries: 0 }
}

function withApplied(c: ConfigPush, applied: VersionHash | null): ConfigPush {
  return applied?.hash === c.applied?.hash && applied?.version === c.applied?.version ? c : { ...c, applied }
}

function withRefused(c: ConfigPush, reported: NonNullable<ConfigResult['refused']>): ConfigPush {
  const refused = reported.map(({ network_number: number, reason }) => ({ number, reason }))
  return isSameJson(refused, c.refused) ? c : { ...c, refused }
}

/** The version rises above that of a device from an earlier claim: versions never fall on a device. */
function aboveApplied(c: ConfigPush): ConfigPush {
  const { applied } = c
  if (c.version === 0 || applied === null || applied.hash === c.hash) return c
  const isBelow = applied.version >= c.version && applied.version < CONFIG_PUSH.versionMax
  return isBelow ? { ...c, version: applied.version + 1 } : c
}

export function configDue({ pushAt, answerBy }: ConfigPush): number | null {
  return pushAt ?? answerBy
}

export function configView(c: ConfigPush): ConfigView {
  const { applied } = c
  const isPossible = applied !== null && applied.version <= CONFIG_PUSH.versionMax
  const appliedVersion = applied?.hash === c.hash ? c.version : isPossible ? applied.version : null
  const { state, version, reason, at, confirmedAt } = c
  const isKept = state !== 'applied' && confirmedAt !== null
  const view = { state, version, applied_version: appliedVersion, reason, at }
  return isKept ? { ...view, confirmed_at: confirmedAt } : view
}
