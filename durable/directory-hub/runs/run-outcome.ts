import type { DirectoryTrouble } from '#contract/kernel/hubs.ts'
import { LDAP, LDAP_SYNC } from '#contract/ldap/limits.ts'
import {
  type DirectoryMessage,
  certificateReason,
  failedMessage,
  stopMessage,
  stopReason,
} from '#domain/ldap/messages.ts'
import { type Run, type RunCounts, nextRunAt } from '#domain/ldap/run.ts'
import type { DirectoryServer } from '#outside/ldap/connection.ts'
import type { Owner } from '../database.ts'

export interface Seen {
  readonly failures: number
  /** End of the server's certificate, if that is soon. */
  readonly expiresAt: number | null
  /** Whether the server was reached, so that its certificate is known. */
  readonly isSeen: boolean
}

/** Troubles after a run has ended; one that goes on keeps the time at which it began. */
export function troublesOf(
  { phase, stop, counts, failure }: Run,
  { failures, expiresAt, isSeen }: Seen,
  known: readonly DirectoryTrouble[],
  now: number,
): readonly DirectoryTrouble[] {
  const at = (kind: DirectoryTrouble['kind']): number => known.find((one) => one.kind === kind)?.at ?? now
  const found: DirectoryTrouble[] = []
  if (phase === 'asking' && stop)
    found.push({ kind: 'stop', at: at('stop'), reason: stopReason(stop, counts.disabled) })
  if (failures >= LDAP.failuresAlert) found.push({ kind: 'failed', at: at('failed'), reason: failure ?? '' })
  if (expiresAt !== null)
    found.push({ kind: 'certificate', at: at('certificate'), reason: certificateReason(expiresAt) })
  return isSeen ? found : [...found, ...known.filter(({ kind }) => kind === 'certificate')]
}

/** Number of failed runs in a row. */
export const countFailures = (before: number, { phase }: Run, isReplaced: boolean): number =>
  phase !== 'failed' ? 0 : isReplaced ? before : before + 1

/** Start of the next run; null where a run waits for a person's answer, or is not automatic. */
export const nextDue = ({ syncMode }: Owner, { phase }: Run, now: number): number | null =>
  syncMode === LDAP_SYNC.automatic && phase !== 'asking' ? nextRunAt(now, Math.random()) : null

/** End of the server's certificate, if that is soon. */
export function endingSoon(server: DirectoryServer | null, now: number): number | null {
  const expiresAt = server?.certificate?.notAfter ?? null
  return expiresAt !== null && expiresAt - now < LDAP.certificateDays * 86_400_000 ? expiresAt : null
}

/** Site messages: of a run that asks, and of the last of some failures in a row. */
export function messagesOf(
  { id, phase, stop, counts, failure }: Run,
  failures: number,
  written: RunCounts,
): DirectoryMessage[] {
  if (phase === 'asking' && stop) return [stopMessage(id, stop, counts.disabled)]
  return failures === LDAP.failuresAlert ? [failedMessage(id, failure ?? '', written)] : []
}
