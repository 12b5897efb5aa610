import type { Applied, DirectoryCounts } from '#contract/ldap/hub.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { LDAP, type RunPhase, LDAP_STOP } from '#contract/ldap/limits.ts'
import { violation } from '#contract/kernel/result.ts'

/* State machine of a directory sync run: phases, events, reasons to stop, and members that did not join a network. */

export const NO_COUNTS: DirectoryCounts = { added: 0, changed: 0, disabled: 0, enabled: 0, conflicts: 0, removable: 0 }

export interface Run {
  readonly id: string
  /** `list` compares and writes nothing. */
  readonly kind: 'list' | 'sync'
  readonly phase: RunPhase
  /** Users that were listed, or members that were written. */
  readonly done: number
  /** 0 if unknown. */
  readonly total: number
  readonly startedAt: number
  readonly progressAt: number
  readonly endedAt: number | null
  readonly counts: DirectoryCounts
  readonly stop: StopReason | null
  /** Keys of members that a person confirmed to disable; null: nobody has confirmed. */
  readonly confirmed: readonly string[] | null
  /** Name of that person; absent in runs of before. */
  readonly confirmedBy?: string
  /** Name of the person who started the run; absent if nobody did. */
  readonly startedBy?: string
  /** The sentence that the page shows. */
  readonly failure: string | null
  readonly resumes: number
}

export type RunEvent =
  | { readonly type: 'started' }
  | { readonly type: 'listed'; readonly users: number }
  | { readonly type: 'compared'; readonly counts: DirectoryCounts }
  | { readonly type: 'stopped'; readonly stop: StopReason }
  | { readonly type: 'confirmed'; readonly members: readonly string[]; readonly by: string }
  | { readonly type: 'writing'; readonly total: number }
  | { readonly type: 'wrote'; readonly members: number }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly failure: string }
  | { readonly type: 'interrupted' }

export const createRun = (id: string, kind: Run['kind'], now: number, startedBy?: string): Run => ({
  id,
  kind,
  phase: 'waiting',
  done: 0,
  total: 0,
  startedAt: now,
  progressAt: now,
  endedAt: null,
  counts: NO_COUNTS,
  stop: null,
  confirmed: null,
  failure: null,
  resumes: 0,
  ...(startedBy !== undefined && { startedBy }),
})

const SYSTEM_NAME = '系统'

/** Actor of a run in records: who started it, and who confirmed it. */
export function runActor({ startedBy = SYSTEM_NAME, confirmedBy = startedBy }: Pick<Run, 'startedBy' | 'confirmedBy'>) {
  return confirmedBy === startedBy ? startedBy : `${startedBy}，${confirmedBy}确认`
}

export const isEnded = ({ phase }: Run): boolean => phase === 'done' || phase === 'failed'
/** True for a run that works or waits to start; no other run starts then. A newer run replaces one in phase `asking`. */
export const isActive = (run: Run): boolean => !isEnded(run) && run.phase !== 'asking'
export const isStalled = (run: Run, now: number): boolean => isActive(run) && now - run.progressAt >= LDAP.stalledMs

/** Events that each phase accepts. Any other event leaves the run unchanged. */
const TAKES: Readonly<Record<RunPhase, readonly RunEvent['type'][]>> = {
  waiting: ['started', 'failed', 'interrupted'],
  listing: ['listed', 'compared', 'failed', 'interrupted'],
  comparing: ['stopped', 'writing', 'ended', 'failed', 'interrupted'],
  writing: ['wrote', 'ended', 'failed', 'interrupted'],
  asking: ['confirmed', 'failed'],
  done: [],
  failed: [],
}

/** A function: the console bundles this module without the refusals of the server. */
const interruptedText = () => toMessage(violation('LDAP_INTERRUPTED'))

export function step(run: Run, event: RunEvent, now: number): Run {
  if (!TAKES[run.phase].includes(event.type)) return run
  const next = { ...run, progressAt: now }
  switch (event.type) {
    case 'started':
      return { ...next, phase: 'listing', done: 0, total: 0 }
    case 'listed':
      return { ...next, done: run.done + event.users }
    case 'compared':
      return { ...next, phase: 'comparing', counts: event.counts }
    case 'stopped':
      return { ...next, phase: 'asking', stop: event.stop }
    case 'confirmed':
      return { ...next, phase: 'waiting', stop: null, confirmed: event.members, confirmedBy: event.by }
    case 'writing':
      return { ...next, phase: 'writing', done: 0, total: event.total }
    case 'wrote':
      return { ...next, done: run.done + event.members }
    case 'ended':
      return { ...next, phase: 'done', endedAt: now }
    case 'failed':
      return { ...next, phase: 'failed', endedAt: now, failure: event.failure }
    case 'interrupted':
      return run.resumes < LDAP.resumes
        ? { ...next, phase: 'waiting', resumes: run.resumes + 1 }
        : { ...next, phase: 'failed', endedAt: now, failure: interruptedText() }
  }
}

/** Time of the next cyclic run, spread so that accounts do not all query at once. `random` is in [0, 1). */
export const nextRunAt = (now: number, random: number): number =>
  now + Math.round(LDAP.cycleMinutes * 60_000 * (1 + (random * 2 - 1) * LDAP.cycleSpread))

/** Reason for which a run stops and asks for confirmation. */
export type StopReason = 'empty' | 'many' | 'share' | 'first'

/** Sentences of the reasons. `first` has none here: its text depends on the page. */
export const STOP_TEXT = {
  empty: '目录没有返回任何用户',
  many: '将停用的成员过多',
  share: '将停用的成员占比过高',
} as const

interface Disabling {
  readonly listed: number
  /** Members that the run would disable. */
  readonly disabled: number
  readonly enabled: number
  /** No run has ended since the configuration changed. */
  readonly isFirst: boolean
}

/** Stops a run that would disable too many members, because the directory may have returned only a part of its users. */
export function findStop({ listed, disabled, enabled, isFirst }: Disabling): StopReason | null {
  if (listed === 0) return 'empty'
  if (disabled > LDAP_STOP.members) return 'many'
  if (disabled >= LDAP_STOP.shareFrom && disabled > enabled * LDAP_STOP.share) return 'share'
  return isFirst && disabled > 0 ? 'first' : null
}

/** A confirmation covers only the members that were shown. */
export const isConfirmed = (confirmed: readonly string[], disabled: readonly string[]): boolean => {
  const shown = new Set(confirmed)
  return disabled.every((uid) => shown.has(uid))
}

/** Imported members that could not join the associated network, and the reason. */
export interface Outside {
  readonly uuids: readonly string[]
  readonly reason: string
}

/** Number of such members, and the reason of the first ones. */
export type OutsideCount = Pick<Applied, 'outside' | 'reason'>
export const NOBODY_OUTSIDE: OutsideCount = { outside: 0, reason: '' }

export const countOutside = (parts: readonly (Outside | null | undefined)[]): OutsideCount =>
  parts.reduce<OutsideCount>(
    (sum, part) => (part ? { outside: sum.outside + part.uuids.length, reason: sum.reason || part.reason } : sum),
    NOBODY_OUTSIDE,
  )

/** `2 个未加入组网：…`; empty if everybody has joined. */
export const outsideText = ({ outside, reason }: OutsideCount): readonly string[] =>
  outside === 0 ? [] : [`${outside} 个未加入组网：${reason}`]
