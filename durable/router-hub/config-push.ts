import { CONFIG_PUSH } from '../../worker/contract/limits.ts'
import type { AgentFrame, ConfigState, ConfigView } from '../../worker/contract/protocol.ts'

interface VersionHash {
  readonly version: number
  readonly hash: string
}

/** The desired document and how far the device has got with it. The document itself is kept beside (state.ts). */
export interface ConfigPush {
  /** Never falls. 0: nothing has ever been desired of this router; `hash` is then that of the empty document, once known. */
  readonly version: number
  readonly hash: string
  readonly state: ConfigState
  readonly reason: string
  readonly at: number | null
  /** What the device last said it runs. */
  readonly applied: VersionHash | null
  /** The device has taken this document in hand: if it comes back without, that try is spent. */
  readonly received: boolean
  /** Automatic pushes spent on this document since the device last reached the hub with it. */
  readonly tries: number
  readonly pushedAt: number | null
  /** A push waits until then: coalesced, or tried again. */
  readonly pushAt: number | null
  /** No answer by then counts as a failure. */
  readonly answerBy: number | null
}

export type ConfigResult = Extract<AgentFrame, { t: 'config_result' }>

export type ConfigEvent =
  /** `floor`: the highest version anybody has recorded; `isEmpty`: a document without networks. */
  | { readonly type: 'compiled'; readonly hash: string; readonly isEmpty: boolean; readonly floor: number }
  | { readonly type: 'resend' }
  | { readonly type: 'greeted'; readonly applied: VersionHash | null }
  | { readonly type: 'reported'; readonly applied: VersionHash | null }
  | { readonly type: 'result'; readonly result: ConfigResult }
  | { readonly type: 'lost' }
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
  applied: null,
  received: false,
  tries: 0,
  pushedAt: null,
  pushAt: null,
  answerBy: null,
}

/** Pure. `online`: the device's socket has said hello. The same object comes back when nothing moved. */
export function stepConfig(c: ConfigPush, event: ConfigEvent, online: boolean, now: number): Step {
  switch (event.type) {
    case 'compiled':
      return onCompiled(c, event, online, now)
    case 'resend':
      return c.version === 0 ? stay(c) : online ? push({ ...c, tries: 0 }, now) : stay(queued({ ...c, tries: 0 }, now))
    case 'greeted':
      return onGreeted(withApplied(c, event.applied), now)
    case 'reported':
      return onReported(withApplied(c, event.applied), now)
    case 'result':
      return onResult(c, event.result, now)
    case 'lost':
      return c.state === 'pushing' ? stay(queued(c, now)) : stay(c)
    case 'due':
      return onDue(c, online, now)
  }
}

const stay = (config: ConfigPush): Step => ({ config, push: false })

function onCompiled(
  c: ConfigPush,
  { hash, isEmpty, floor }: Extract<ConfigEvent, { type: 'compiled' }>,
  online: boolean,
  now: number,
): Step {
  if (hash === c.hash) return stay(c)
  if (c.version === 0 && isEmpty && floor === 0) return online ? clear({ ...c, hash }, now) : stay({ ...c, hash })
  const reported = c.applied?.version ?? 0
  const known = Math.max(c.version, floor, reported <= CONFIG_PUSH.versionMax ? reported : 0)
  if (c.version === 0 && c.applied?.hash === hash && c.applied.version === known) {
    return stay(proven({ ...c, version: known, hash }, now)) // a hub that starts anew finds the device already right
  }
  return deliver({ ...c, version: known + 1, hash, reason: '', received: false, tries: 0, at: now }, online, now)
}

/** A device that still runs what it got elsewhere, in another account say, gets the empty document. */
function clear(c: ConfigPush, now: number): Step {
  const { applied } = c
  if (c.hash === '' || applied === null || applied.hash === c.hash) return stay(c)
  return push({ ...c, version: applied.version + 1 }, now)
}

/** The first change goes at once; those that follow within a second wait for its end, and only the last one is sent. */
function deliver(c: ConfigPush, online: boolean, now: number): Step {
  if (!online) return stay(queued(c, now))
  const quietAt = c.pushedAt === null ? now : c.pushedAt + CONFIG_PUSH.coalesceMs
  return quietAt <= now ? push(c, now) : stay({ ...c, state: 'pushing', pushAt: quietAt, answerBy: null })
}

function onGreeted(c: ConfigPush, now: number): Step {
  if (c.version === 0) return clear(c, now)
  if (c.applied?.hash === c.hash) return stay(proven(c, now))
  if (c.state === 'unsynced' || isPausing(c)) return stay(c)
  if (c.state === 'applied' && c.applied !== null) return spendTry(c, 'reverted', '设备重新连接后已不再运行该配置', now)
  const taken = c.received && (c.state === 'pushing' || c.state === 'queued')
  if (!taken) return push(c, now)
  // It may still be at work on the document, so no failure is shown before the tries are spent.
  return c.tries < CONFIG_PUSH.automaticTries
    ? push({ ...c, tries: c.tries + 1 }, now)
    : spendTry(c, 'failed', '设备多次重新连接后仍未应用该配置', now)
}

function onReported(c: ConfigPush, now: number): Step {
  if (c.version === 0) return clear(c, now)
  if (c.applied?.hash === c.hash) return stay(running(c, now))
  if (c.state === 'queued') return push(c, now)
  return c.state === 'applied' ? spendTry(c, 'failed', '设备上的配置与下发的不一致', now) : stay(c)
}

function onResult(c: ConfigPush, { version, hash, state, reason = '' }: ConfigResult, now: number): Step {
  const isApplied = state === 'applied' || state === 'confirmed'
  if (c.version === 0 || hash !== c.hash) {
    return isApplied ? onReported(withApplied(c, { version, hash }), now) : stay(c)
  }
  if (state === 'confirmed') return stay(proven(withApplied(c, { version, hash }), now))
  if (state === 'applied') return stay(running(withApplied(c, { version, hash }), now))
  if (state === 'received') return stay(c.received ? c : { ...c, received: true })
  return onBad(c, state, reason, now)
}

/** What a device gave up it runs no more; whether it comes back to the hub with the bad news decides who counts it. */
function onBad(c: ConfigPush, state: 'failed' | 'reverted', reason: string, now: number): Step {
  const fallen = state === 'reverted' && c.applied?.hash === c.hash ? { ...c, applied: null } : c
  if (isFailureNews(c, state)) return spendTry(fallen, state, reason, now)
  const isCounted = state === 'reverted' && (c.state === 'reverted' || c.state === 'unsynced') // with its hello
  return stay(isCounted && reason !== '' && reason !== c.reason ? { ...fallen, reason } : fallen)
}

/** A failed push is tried again, but not yet. */
const isPausing = (c: ConfigPush): boolean => (c.state === 'failed' || c.state === 'reverted') && c.pushAt !== null

/** A failure counts once for each push; a late copy of it must not spend the next try. */
function isFailureNews(c: ConfigPush, state: 'failed' | 'reverted'): boolean {
  const isAwaited = c.state === 'pushing' && c.pushAt === null
  return isAwaited || (state === 'reverted' && c.state === 'applied')
}

function onDue(c: ConfigPush, online: boolean, now: number): Step {
  const due = configDue(c)
  if (due === null || due > now) return stay(c)
  if (!online) return stay(c.state === 'pushing' ? queued(c, now) : { ...c, pushAt: null, answerBy: null })
  return c.pushAt !== null ? push(c, now) : spendTry(c, 'failed', '设备未在规定时间内回报结果', now)
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
})

function spendTry(c: ConfigPush, state: 'failed' | 'reverted', reason: string, now: number): Step {
  const isLast = c.tries >= CONFIG_PUSH.automaticTries
  return stay({
    ...c,
    state: isLast ? 'unsynced' : state,
    reason,
    at: now,
    tries: c.tries + 1,
    pushAt: isLast ? null : now + CONFIG_PUSH.retryMs * (c.tries + 1),
    answerBy: null,
  })
}

/** The device runs it, maybe on trial: a document that cuts it off is reverted later, and its tries go on counting. */
function running(c: ConfigPush, now: number): ConfigPush {
  if (c.state === 'applied' && c.pushAt === null && c.answerBy === null) return c
  return { ...c, state: 'applied', reason: '', at: now, pushAt: null, answerBy: null }
}

/** It runs it and has reached the hub with it. */
function proven(c: ConfigPush, now: number): ConfigPush {
  const config = running(c, now)
  return config.tries === 0 ? config : { ...config, tries: 0 }
}

function withApplied(c: ConfigPush, applied: VersionHash | null): ConfigPush {
  return applied?.hash === c.applied?.hash && applied?.version === c.applied?.version ? c : { ...c, applied }
}

export function configDue({ pushAt, answerBy }: ConfigPush): number | null {
  return pushAt ?? answerBy
}

export function configView(c: ConfigPush): ConfigView {
  const appliedVersion = c.applied?.hash === c.hash ? c.version : (c.applied?.version ?? null)
  return { state: c.state, version: c.version, applied_version: appliedVersion, reason: c.reason, at: c.at }
}
