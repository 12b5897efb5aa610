import type { z } from 'zod'
import type { configResult } from '#contract/kernel/protocol.ts'
import type { SentDocument } from '#contract/device/document.ts'
import type { Refusal } from '../drivers/driver.ts'

/* State machine of a device's configuration: checks, tries, confirms and reverts documents of the hub. */

export interface ConfigDocument {
  readonly version: number
  /** SHA-256, hex, of the canonical JSON of `body`. */
  readonly hash: string
  readonly body: SentDocument
}

export type Outcome = Omit<z.infer<typeof configResult>, 't'>

/** Reason for which the device refused a document: a Chinese sentence for the console, and what the tools printed. */
export interface Failure {
  readonly reason: string
  readonly log?: string
}

/** Failure of a document that is refused before a driver installs it. */
export const checkFailure = (problem: string): Failure => ({ reason: `配置校验失败：${problem}` })

/** Persisted record, replaced atomically. Trials are not in it: each start applies `confirmed`. */
export interface ConfigRecord {
  /** Last document with which the hub could still be reached. */
  readonly confirmed: ConfigDocument | null
  /** The result of a trial that was not reported yet. */
  readonly unreported: Outcome | null
}

interface Offer {
  readonly document: ConfigDocument
  readonly confirmMs: number
}

export interface ConfigState {
  readonly record: ConfigRecord
  /** Document that the device runs; null for nothing, or for unknown after a failed return. */
  readonly applied: ConfigDocument | null
  /** Networks of it that the device has left as they were. */
  readonly refused: readonly Refusal[]
  /** Document on trial: on the device and not confirmed yet. */
  readonly trial: ConfigDocument | null
  readonly work: 'off' | 'restoring' | 'idle' | 'checking' | 'applying' | 'returning'
  /** The document being checked or applied. */
  readonly offer: Offer | null
  /** Newest document that arrived meanwhile. */
  readonly next: Offer | null
  /** Outcome for which the device is `returning`. */
  readonly outcome: Outcome | null
  /** Version floor: older documents are ignored. Each welcome resets it, because the hub may restart its numbering. */
  readonly floor: number
  readonly online: boolean
}

export type ConfigEvent =
  | { readonly type: 'started' }
  | { readonly type: 'welcomed'; readonly desiredVersion: number }
  | { readonly type: 'lost' }
  /** The router was deleted or disabled: remove the whole configuration. */
  | { readonly type: 'removed' }
  /** `intact`: the hash is that of the body. */
  | ({ readonly type: 'offered'; readonly intact: boolean } & Offer)
  | { readonly type: 'checked'; readonly failure: Failure | null }
  /** `refused`: networks that a node has left as they were; null: this device applies documents as a whole. */
  | { readonly type: 'installed'; readonly failure: Failure | null; readonly refused: readonly Refusal[] | null }
  /** The hub answered after this version was applied. */
  | { readonly type: 'reached'; readonly version: number }
  | { readonly type: 'overdue'; readonly version: number }

export type ConfigEffect =
  | { readonly type: 'report'; readonly outcome: Outcome }
  | { readonly type: 'check'; readonly document: ConfigDocument }
  /** Put the document on the device; answered by `installed`. */
  | { readonly type: 'install'; readonly document: ConfigDocument | null }
  /** Stores the record, and then reports. */
  | { readonly type: 'keep'; readonly record: ConfigRecord; readonly report: Outcome | null }
  /** Wait for the hub: answered by `reached`, or by `overdue` after that time. Replaces an earlier wait. */
  | { readonly type: 'await-hub'; readonly version: number; readonly withinMs: number }
  | { readonly type: 'stop-waiting' }

export interface ConfigStep {
  readonly state: ConfigState
  readonly effects: readonly ConfigEffect[]
}

export const emptyRecord: ConfigRecord = { confirmed: null, unreported: null }

export function configAtStart(record: ConfigRecord): ConfigState {
  return {
    record,
    applied: null,
    refused: [],
    trial: null,
    work: 'off',
    offer: null,
    next: null,
    outcome: null,
    floor: 0,
    online: false,
  }
}

/** Pure. Commit-confirm: a document counts only once the hub was reached with it; else the last confirmed one returns. */
export function stepConfig(state: ConfigState, event: ConfigEvent): ConfigStep {
  switch (event.type) {
    case 'started':
      return {
        state: { ...state, work: 'restoring' },
        effects: [{ type: 'install', document: state.record.confirmed }],
      }
    case 'welcomed':
      return onWelcomed(state, event.desiredVersion)
    case 'lost':
      return { state: { ...state, online: false }, effects: [] }
    case 'removed':
      return onRemoved(state)
    case 'offered':
      return onOffered(state, event)
    case 'checked':
      return onChecked(state, event.failure)
    case 'installed':
      return onInstalled(state, event)
    case 'reached':
    case 'overdue':
      return onVerdict(state, event)
  }
}

const unchanged = (state: ConfigState): ConfigStep => ({ state, effects: [] })

function onWelcomed(before: ConfigState, desiredVersion: number): ConfigStep {
  const state = { ...before, online: true, floor: desiredVersion }
  const { unreported } = state.record
  if (!unreported) return unchanged(state)
  const record = { ...state.record, unreported: null }
  return {
    state: { ...state, record },
    effects: [
      { type: 'report', outcome: unreported },
      { type: 'keep', record, report: null },
    ],
  }
}

/** Repeated at each refusal: retries a removal that failed. */
function onRemoved(before: ConfigState): ConfigStep {
  const state = { ...before, record: emptyRecord, trial: null, offer: null, next: null, outcome: null }
  return {
    state: { ...state, work: 'returning' },
    effects: [
      { type: 'stop-waiting' },
      { type: 'keep', record: emptyRecord, report: null },
      { type: 'install', document: null },
    ],
  }
}

function onOffered(before: ConfigState, { document, confirmMs, intact }: Offer & { intact: boolean }): ConfigStep {
  if (document.version < before.floor) return unchanged(before)
  if (!intact) {
    const failure = checkFailure('内容与校验值不一致')
    return { state: before, effects: [{ type: 'report', outcome: createOutcome('failed', document, failure) }] }
  }
  return resume({ ...before, floor: document.version, next: { document, confirmMs } })
}

/** Starts on the waiting document if none is in progress. */
function resume(state: ConfigState): ConfigStep {
  if (state.work !== 'idle' || !state.next) return unchanged(state)
  const offer = state.next
  const rest = { ...state, next: null }
  if (state.applied?.hash === offer.document.hash) return onRepeated(rest, offer)
  return {
    state: { ...rest, work: 'checking', offer },
    effects: [
      { type: 'report', outcome: createOutcome('received', offer.document) },
      { type: 'check', document: offer.document },
    ],
  }
}

/**
 * Installs a document again that the device should run already: after a lost report, under a new version number with the
 * same content, or on a request of a user. Installing is idempotent, and repairs tampered files.
 */
function onRepeated(state: ConfigState, { document, confirmMs }: Offer): ConfigStep {
  if (!state.trial) {
    const record = { ...state.record, confirmed: document }
    return {
      state: { ...state, record, work: 'restoring', outcome: createOutcome('confirmed', document) },
      effects: [{ type: 'install', document }],
    }
  }
  const report: ConfigEffect = { type: 'report', outcome: withRefused(createOutcome('applied', document), state) }
  if (state.trial.version === document.version) return { state, effects: [report] }
  return {
    state: { ...state, applied: document, trial: document },
    effects: [report, { type: 'await-hub', version: document.version, withinMs: confirmMs }],
  }
}

function onChecked(state: ConfigState, failure: Failure | null): ConfigStep {
  const { offer } = state
  if (state.work !== 'checking' || !offer) return unchanged(state)
  if (failure) {
    const report: ConfigEffect = { type: 'report', outcome: createOutcome('failed', offer.document, failure) }
    return after([report], resume({ ...state, work: 'idle', offer: null }))
  }
  return {
    state: { ...state, trial: null, work: 'applying' },
    effects: [{ type: 'stop-waiting' }, { type: 'install', document: offer.document }],
  }
}

type Installed = Extract<ConfigEvent, { type: 'installed' }>

function onInstalled(before: ConfigState, event: Installed): ConfigStep {
  const { failure } = event
  const state = failure ? before : { ...before, refused: event.refused ?? [] }
  if (state.work === 'applying') return onApplied(state, failure)
  if (state.work !== 'restoring' && state.work !== 'returning') return unchanged(state)
  const outcome = outcomeOfReturn(state, event)
  const { confirmed } = state.record
  const record = { ...state.record, unreported: state.online ? null : (outcome ?? state.record.unreported) }
  const rest = resume({ ...state, record, applied: failure ? null : confirmed, work: 'idle', outcome: null })
  return after([{ type: 'keep', record, report: state.online ? outcome : null }], rest)
}

/** A node says after each start which networks it has refused, because that may have changed with the start. */
function outcomeOfReturn(state: ConfigState, { failure, refused }: Installed): Outcome | null {
  const { record, outcome } = state
  if (record.confirmed === null) return outcome
  if (failure)
    return createOutcome('failed', record.confirmed, { ...failure, reason: `恢复配置失败：${failure.reason}` })
  if (outcome !== null) return outcome.state === 'confirmed' ? withRefused(outcome, state) : outcome
  if (refused === null || record.unreported !== null) return null
  return withRefused(createOutcome('confirmed', record.confirmed), state)
}

function onApplied(state: ConfigState, failure: Failure | null): ConfigStep {
  const { offer } = state
  if (!offer) return unchanged(state)
  if (failure) return goBack({ ...state, offer: null }, createOutcome('failed', offer.document, failure))
  const effects: ConfigEffect[] = [
    { type: 'report', outcome: withRefused(createOutcome('applied', offer.document), state) },
    { type: 'await-hub', version: offer.document.version, withinMs: offer.confirmMs },
  ]
  return after(effects, resume({ ...state, applied: offer.document, trial: offer.document, work: 'idle', offer: null }))
}

/** Ignores the confirmation of an earlier trial. */
function onVerdict(
  state: ConfigState,
  { type, version }: { type: 'reached' | 'overdue'; version: number },
): ConfigStep {
  if (state.trial?.version !== version) return unchanged(state)
  return type === 'reached' ? onReached(state, state.trial) : onOverdue(state, state.trial)
}

function onReached(state: ConfigState, trial: ConfigDocument): ConfigStep {
  const record = { ...state.record, confirmed: trial }
  return {
    state: { ...state, record, trial: null },
    effects: [
      { type: 'stop-waiting' },
      { type: 'keep', record, report: withRefused(createOutcome('confirmed', trial), state) },
    ],
  }
}

function onOverdue(state: ConfigState, trial: ConfigDocument): ConfigStep {
  const waiting = state.offer ?? state.next // a newer document is being checked: it comes again after the return
  const failure = { reason: '应用后无法连接控制台，已恢复上一次确认的配置' }
  return goBack({ ...state, offer: null, next: waiting }, createOutcome('reverted', trial, failure))
}

const goBack = (state: ConfigState, outcome: Outcome): ConfigStep => ({
  state: { ...state, trial: null, work: 'returning', outcome },
  effects: [{ type: 'install', document: state.record.confirmed }],
})

const after = (effects: readonly ConfigEffect[], rest: ConfigStep): ConfigStep => ({
  state: rest.state,
  effects: [...effects, ...rest.effects],
})

const withRefused = (outcome: Outcome, { refused }: Pick<ConfigState, 'refused'>): Outcome =>
  refused.length === 0 ? outcome : { ...outcome, refused: [...refused] }

function createOutcome(state: Outcome['state'], { version, hash }: ConfigDocument, failure?: Failure): Outcome {
  if (!failure) return { version, hash, state }
  const { reason, log } = failure
  return { version, hash, state, reason: reason.slice(0, 200), ...(log && { log: log.slice(-1024) }) }
}
