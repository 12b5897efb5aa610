import type { DirectoryCounts } from '#contract/ldap/hub.ts'
import type { DirectoryTrouble } from '#contract/kernel/hubs.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { LDAP, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { insertRun, updateDueOf } from '#features/ldap/sql/config.ts'
import {
  certificateMessage,
  type DirectoryMessage,
  certificateReason,
  failedMessage,
  stopMessage,
  stopReason,
} from '#domain/ldap/messages.ts'
import { type KnownMember, type Plan, planRun } from '#domain/ldap/plan.ts'
import {
  type Run,
  isEnded,
  step,
  nextRunAt,
  createRun,
  isActive,
  findStop,
  isConfirmed,
  countOutside,
  runActor,
} from '#domain/ldap/run.ts'
import { insertMessageOnce } from '#features/message/sql.ts'
import type { DirectoryServer } from '#outside/ldap/directory-connection.ts'
import { randomHex } from '#security/secrets.ts'
import { type Owner, readMembers, type Recorded, toRunRow } from '../database.ts'
import { findViolation } from '../connection/failure-answer.ts'
import { type ActiveRun, countsOf } from './active-run.ts'
import { type PendingOutcome, type HubState, type UndoPart, countsOfParts, outsideOf } from '../storage.ts'
import type { DirectoryHubDeps, MemberWriter } from '../members/member-writer.ts'
import { NO_WORK, sizeOf } from '../members/member-work.ts'

/* Sync runs of a directory: reads it, compares it with the members, writes the changes, and stores how a run ended. */

interface RunFindings {
  server: DirectoryServer | null
  listedAt: number | null
}
const NO_FINDINGS: RunFindings = { server: null, listedAt: null }

export class DirectoryRuns {
  private readonly deps: DirectoryHubDeps
  private readonly writer: MemberWriter

  constructor(deps: DirectoryHubDeps, writer: MemberWriter) {
    this.deps = deps
    this.writer = writer
  }

  async run(owner: Owner, working: ActiveRun, password: string): Promise<void> {
    if (owner.values === null) return
    const findings = { ...NO_FINDINGS }
    let isReplaced = false
    try {
      await working.watched(() => this.work(owner, working, password, findings))
    } catch (error) {
      const reason = findViolation(error, owner.values.mode)
      isReplaced = reason.key === 'LDAP_CONFIG_CHANGED'
      working.move({ type: 'failed', failure: toMessage(reason) })
    }
    await this.ended(owner, working.run, findings, isReplaced)
  }

  private async work(owner: Owner, working: ActiveRun, password: string, findings: RunFindings): Promise<void> {
    const { values, revision } = owner
    if (values === null) return
    await this.writer.resolvePending(owner)
    const { server, users } = await working.readUsers(values, password)
    findings.server = server
    const now = Date.now()
    const storage = this.deps.storage()
    const listing = { hash: storage.saveListing(users), listedRevision: revision }
    if (storage.state.hash !== listing.hash || storage.state.listedRevision !== revision)
      storage.update({ ...listing, listedAt: now })
    const members = await readMembers(this.deps.env, owner.accountId)
    working.requireCurrent()
    const plan = planRun({ users, members, remaining: owner.max - owner.used })
    working.move({ type: 'compared', counts: countsOf(plan) })
    if (working.run.kind === 'list') working.move({ type: 'ended' })
    else await this.writeRun(owner, working, plan, { users: users.length, members })
    findings.listedAt = now
  }

  private async writeRun(
    owner: Owner,
    working: ActiveRun,
    plan: Plan,
    { users, members }: { readonly users: number; readonly members: readonly KnownMember[] },
  ): Promise<void> {
    const { disabled, changed, enabled, added } = plan
    const keys = disabled.map(({ uid }) => uid)
    const stop = findStop({
      listed: users,
      disabled: keys.length,
      enabled: members.filter(({ link, status }) => link !== null && status === 1).length,
      isFirst: this.deps.storage().state.ranRevision !== owner.revision,
    })
    const { confirmed } = working.run
    if (stop && !(confirmed && isConfirmed(confirmed, keys))) {
      this.deps.storage().update({ asked: keys })
      return working.move({ type: 'stopped', stop })
    }
    const work = { ...NO_WORK, disabled, changed, enabled, added }
    if (sizeOf(work) > 0) {
      working.move({ type: 'writing', total: sizeOf(work) })
      await this.writer.write(owner, toRecorded(working.run), work, {
        by: null,
        onPortion: () => working.requireCurrent(),
        onWritten: (count) => working.move({ type: 'wrote', members: count }),
      })
    }
    working.move({ type: 'ended' })
  }

  /** Stores how a run ended, and when the next one comes. `isReplaced`: the configuration changed, which is no failure. */
  async ended(
    owner: Owner,
    run: Run,
    { server, listedAt }: RunFindings = NO_FINDINGS,
    isReplaced = false,
  ): Promise<void> {
    await this.writer.resolvePending(owner)
    const now = Date.now()
    const storage = this.deps.storage()
    const failures = countFailures(storage.state.failures, run, isReplaced)
    const expiresAt = endingSoon(server, now)
    const parts = storage.undo.parts(run.id, now)
    const written = countsOfParts(parts)
    const messages = messagesOf(run, isReplaced ? 0 : failures, written)
    if (expiresAt !== null && expiresAt !== storage.state.certificateWarned)
      messages.push(certificateMessage(owner.accountId, expiresAt))
    const row = this.toRow(owner, run, parts)
    const troubles = this.findTroubles(run, { failures, expiresAt, isSeen: server !== null }, now)
    const isDone = run.phase === 'done' && run.kind === 'sync'
    storage.update({
      run,
      fault: run.failure ?? '',
      written,
      failures,
      dueAt: nextDue(owner, run, now),
      updatedAt: now,
      actor: runActor(run),
      lastedMs: now - run.startedAt,
      outcome: row || messages.length > 0 || troubles ? { row, messages, troubles } : null,
      ...(listedAt !== null && { listedAt }),
      ...(isDone && { ranRevision: owner.revision }),
      ...(expiresAt !== null && { certificateWarned: expiresAt }),
    })
    await this.saveOutcome(owner)
  }

  /** Saves the outcome in D1; after a database outage the next alarm does it. */
  async saveOutcome(owner: Owner): Promise<void> {
    const storage = this.deps.storage()
    const { outcome, dueAt, superseded } = storage.state
    const { row = null, messages = [], troubles = null } = outcome ?? {}
    const context = this.writer.createContext(owner, null)
    const { db, now } = context
    const { accountId, revision, accountHub } = owner
    await batch(db, {
      due: revision !== null && updateDueOf(db, accountId, dueAt, revision),
      run: row !== null && insertRun(db, row),
      ...Object.fromEntries(superseded.map((one, i) => [`superseded${i}`, insertRun(db, one)])),
      ...Object.fromEntries(
        messages.map(({ eventId, title, content }, i) => [
          `message${i}`,
          insertMessageOnce(db, { accountId, eventId, type: '告警', title, content, createdAt: now }),
        ]),
      ),
      hubs: messages.length > 0 && notifyHubs(context, refreshTasks('account', [accountHub])),
    })
    this.writer.deliver(owner, context.hubOutbox)
    if (troubles) await this.deps.hubs.account(accountHub).directoryChanged(troubles)
    if (isUnsaved(storage.state)) storage.update({ outcome: null, superseded: [], ...(troubles && { troubles }) })
  }

  close(owner: Owner): void {
    this.supersede(owner, 'LDAP_RUN_CLOSED')
    this.deps.storage().clear()
  }

  /** Ends the newest run, whose awaited answer cannot come any more; its row says why. */
  supersede(owner: Owner, key: 'LDAP_SUPERSEDED' | 'LDAP_RUN_CLOSED'): void {
    const storage = this.deps.storage()
    const { run, superseded } = storage.state
    if (!run || isEnded(run) || (run.phase !== 'asking' && run.confirmed === null)) return
    const now = Date.now()
    const ended = step(run, { type: 'failed', failure: toMessage(violation(key)) }, now)
    const row = this.toRow(owner, ended, storage.undo.parts(run.id, now))
    if (row) storage.update({ superseded: [...superseded, row] })
  }

  /** Current troubles; null if they are those that the account's hub knows. */
  private findTroubles(run: Run, contact: LastContact, now: number): readonly DirectoryTrouble[] | null {
    const { state } = this.deps.storage()
    const known = state.outcome?.troubles ?? state.troubles
    const found = troublesOf(run, contact, known, now)
    const isSame =
      found.length === known.length && found.every((one) => known.some((other) => one.reason === other.reason))
    return isSame ? (state.outcome?.troubles ?? null) : found
  }

  /** Row of a run. One that changed nothing and did not ask has none, as there is one every hour, unless it ends failures. */
  private toRow({ accountId }: Owner, run: Run, parts: readonly UndoPart[]): PendingOutcome['row'] {
    const { added, changed, disabled, enabled } = countsOfParts(parts)
    const portions = this.deps.storage().undo.nextPortion(run.id)
    const hadFailed = this.deps.storage().state.failures > 0
    if (run.phase === 'done' && portions === 0 && run.confirmed === null && !hadFailed) return null
    const written = run.phase === 'asking' ? {} : { added, changed, disabled, enabled }
    return toRunRow(accountId, toRecorded(run), {
      state: run.phase === 'done' ? 'done' : run.phase === 'asking' ? 'asking' : 'failed',
      counts: { ...run.counts, ...written },
      outside: countOutside(outsideOf(parts)),
      portions,
      failure: run.failure ?? '',
      endedAt: run.endedAt ?? run.progressAt,
    })
  }
}

const toRecorded = (run: Run): Recorded => ({
  id: run.id,
  kind: run.kind,
  actorName: runActor(run),
  startedAt: run.startedAt,
  isUndoable: run.kind === 'sync',
})

/** Contact with the server in this run and the ones before. */
interface LastContact {
  /** Runs that failed, in a row. */
  readonly failures: number
  /** End of the server's certificate, if that is soon. */
  readonly expiresAt: number | null
  /** True: the server was reached, so its certificate is known. */
  readonly isSeen: boolean
}

/** Troubles after a run has ended; one that goes on keeps the time at which it began. */
function troublesOf(
  { phase, stop, counts, failure }: Run,
  { failures, expiresAt, isSeen }: LastContact,
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

const countFailures = (before: number, { phase }: Run, isReplaced: boolean): number =>
  phase !== 'failed' ? 0 : isReplaced ? before : before + 1

/** Start of the next run; null if a run waits for a person's answer, or is not automatic. */
const nextDue = ({ syncMode }: Owner, { phase }: Run, now: number): number | null =>
  syncMode === LDAP_SYNC.automatic && phase !== 'asking' ? nextRunAt(now, Math.random()) : null

function endingSoon(server: DirectoryServer | null, now: number): number | null {
  const expiresAt = server?.certificate?.notAfter ?? null
  return expiresAt !== null && expiresAt - now < LDAP.certificateDays * 86_400_000 ? expiresAt : null
}

/** Site messages: one of a run that asks, and one of the last of some failures in a row. */
function messagesOf(
  { id, phase, stop, counts, failure }: Run,
  failures: number,
  written: DirectoryCounts,
): DirectoryMessage[] {
  if (phase === 'asking' && stop) return [stopMessage(id, stop, counts.disabled)]
  return failures === LDAP.failuresAlert ? [failedMessage(id, failure ?? '', written)] : []
}

/** Run to work on now: one that has begun, was interrupted, or is due. */
export function findDueRun({ revision, syncMode }: Owner, { run, dueAt }: HubState, now: number): Run | null {
  if (revision === null) return null
  if (run && isActive(run)) return run.phase === 'waiting' ? run : step(run, { type: 'interrupted' }, now)
  if (syncMode !== LDAP_SYNC.automatic || dueAt === null || dueAt > now || run?.phase === 'asking') return null
  return createRun(randomHex(16), 'sync', now)
}

/** True while D1 lacks how a run ended. */
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
