import { LDAP, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { type Run, createRun, isActive, step } from '#domain/ldap/run.ts'
import { randomHex } from '#security/secrets.ts'
import type { Owner } from '../database.ts'
import type { HubState } from '../storage.ts'

/** The run that shall work now: one that was begun, one that was interrupted, or one that is due. */
export function findDueRun({ revision, syncMode }: Owner, { run, dueAt }: HubState, now: number): Run | null {
  if (revision === null) return null
  if (run && isActive(run)) return run.phase === 'waiting' ? run : step(run, { type: 'interrupted' }, now)
  if (syncMode !== LDAP_SYNC.automatic || dueAt === null || dueAt > now || run?.phase === 'asking') return null
  return createRun(randomHex(16), 'sync', now)
}

/** Whether D1 lacks how a run ended. */
export const isUnsaved = ({ outcome, superseded }: HubState): boolean => outcome !== null || superseded.length > 0

/** Times at which the alarm has something to do. */
export function wakeTimes(
  state: HubState,
  { isRunWorking, isTaskWorking }: { readonly isRunWorking: boolean; readonly isTaskWorking: boolean },
  now: number,
): readonly (number | null)[] {
  const { run, dueAt } = state
  const isWaiting = run !== null && isActive(run) && !isRunWorking
  const next = run?.phase === 'asking' ? null : dueAt
  return [
    isWaiting ? now + LDAP.retryMs * run.resumes : null,
    isTaskWorking && next !== null ? Math.max(next, now + LDAP.retryMs) : next,
    isUnsaved(state) ? now + LDAP.retryMs : null,
  ]
}
