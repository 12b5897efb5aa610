import type { DirectoryTrouble } from '#contract/kernel/hubs.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { insertRun, updateDueOf } from '#features/ldap/sql/config.ts'
import { certificateMessage } from '#domain/ldap/messages.ts'
import { countOutside } from '#domain/ldap/outside.ts'
import { type KnownMember, type Plan, planRun } from '#domain/ldap/plan.ts'
import { type Run, isEnded, step } from '#domain/ldap/run.ts'
import { findStop, isConfirmed } from '#domain/ldap/stop.ts'
import { insertMessageOnce } from '#features/message/sql.ts'
import type { DirectoryServer } from '#outside/ldap/connection.ts'
import { NO_WORK, sizeOf } from '../members/write-portions.ts'
import { type Owner, readMembers } from '../database.ts'
import { isUnsaved } from './due-run.ts'
import { findViolation } from '../connection/failure-answer.ts'
import { type Seen, countFailures, endingSoon, messagesOf, nextDue, troublesOf } from './run-outcome.ts'
import { type Recorded, SYSTEM_NAME, toRunRow } from '../run-row.ts'
import { type ActiveRun, countsOf } from './active-run.ts'
import type { PendingOutcome } from '../storage.ts'
import { type UndoPart, countsOfParts, outsideOf } from '../members/undo-log.ts'
import type { MemberWriter } from '../members/member-writer.ts'

/** Findings of a run, as far as it came. */
interface Found {
  server: DirectoryServer | null
  listedAt: number | null
}
const NOTHING: Found = { server: null, listedAt: null }

/** Works a run: reads the directory, compares it with the members, writes them, and stores how the run ended. */
export class DirectoryRuns {
  private readonly writer: MemberWriter

  constructor(writer: MemberWriter) {
    this.writer = writer
  }

  async run(owner: Owner, working: ActiveRun, password: string): Promise<void> {
    if (owner.values === null) return
    const found = { ...NOTHING }
    let isReplaced = false
    try {
      await working.watched(() => this.work(owner, working, password, found))
    } catch (error) {
      const reason = findViolation(error, owner.values.mode)
      isReplaced = reason.key === 'LDAP_CONFIG_CHANGED'
      working.move({ type: 'failed', failure: toMessage(reason) })
    }
    await this.ended(owner, working.run, found, isReplaced)
  }

  private async work(owner: Owner, working: ActiveRun, password: string, found: Found): Promise<void> {
    const { values, revision } = owner
    if (values === null) return
    await this.writer.resolvePending(owner)
    const { server, users } = await working.readUsers(values, password)
    found.server = server
    const now = Date.now()
    const storage = this.writer.ports.storage()
    const listing = { hash: storage.saveListing(users), count: users.length, listedRevision: revision }
    if (storage.state.hash !== listing.hash || storage.state.listedRevision !== revision)
      storage.update({ ...listing, listedAt: now })
    const members = await readMembers(this.writer.ports.env, owner.accountId)
    working.requireCurrent()
    const plan = planRun({ users, members, remaining: owner.max - owner.used })
    working.move({ type: 'compared', counts: countsOf(plan) })
    if (working.run.kind === 'list') working.move({ type: 'ended' })
    else await this.writeRun(owner, working, plan, { users: users.length, members })
    found.listedAt = now
  }

  private async writeRun(
    owner: Owner,
    working: ActiveRun,
    plan: Plan,
    { users, members }: { readonly users: number; readonly members: readonly KnownMember[] },
  ): Promise<void> {
    const { disabled, changed, enabled, added } = plan
    const ids = disabled.map(({ id }) => id)
    const stop = findStop({
      listed: users,
      disabled: ids.length,
      enabled: members.filter(({ link, status }) => link !== null && status === 1).length,
      isFirst: this.writer.ports.storage().state.ranRevision !== owner.revision,
    })
    const { confirmed } = working.run
    if (stop && !(confirmed && isConfirmed(confirmed, ids))) {
      this.writer.ports.storage().update({ asked: ids })
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
  async ended(owner: Owner, run: Run, { server, listedAt }: Found = NOTHING, isReplaced = false): Promise<void> {
    await this.writer.resolvePending(owner)
    const now = Date.now()
    const storage = this.writer.ports.storage()
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
      lastedMs: now - run.startedAt,
      outcome: row || messages.length > 0 || troubles ? { row, messages, troubles } : null,
      ...(listedAt !== null && { listedAt }),
      ...(isDone && { ranRevision: owner.revision }),
      ...(expiresAt !== null && { certificateWarned: expiresAt }),
    })
    await this.saveOutcome(owner)
  }

  /** Saves the outcome in D1, once or again: what a lost database leaves is written by the next alarm. */
  async saveOutcome(owner: Owner): Promise<void> {
    const storage = this.writer.ports.storage()
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
    if (troubles) await this.writer.ports.hubs.account(accountHub).directoryChanged(troubles)
    if (isUnsaved(storage.state)) storage.update({ outcome: null, superseded: [], ...(troubles && { troubles }) })
  }

  close(owner: Owner): void {
    this.supersede(owner, 'LDAP_RUN_CLOSED')
    this.writer.ports.storage().clear()
  }

  /** The newest run waits for an answer that cannot come any more: its row says why. */
  supersede(owner: Owner, key: 'LDAP_SUPERSEDED' | 'LDAP_RUN_CLOSED'): void {
    const storage = this.writer.ports.storage()
    const { run, superseded } = storage.state
    if (!run || isEnded(run) || (run.phase !== 'asking' && run.confirmed === null)) return
    const now = Date.now()
    const ended = step(run, { type: 'failed', failure: toMessage(violation(key)) }, now)
    const row = this.toRow(owner, ended, storage.undo.parts(run.id, now))
    if (row) storage.update({ superseded: [...superseded, row] })
  }

  /** Current troubles; null where they are those that the account's hub knows. */
  private findTroubles(run: Run, seen: Seen, now: number): readonly DirectoryTrouble[] | null {
    const { state } = this.writer.ports.storage()
    const known = state.outcome?.troubles ?? state.troubles
    const found = troublesOf(run, seen, known, now)
    const isSame =
      found.length === known.length && found.every((one) => known.some((other) => one.reason === other.reason))
    return isSame ? (state.outcome?.troubles ?? null) : found
  }

  /** Row of a run. A run that changed nothing has none, unless it asked: there is one every hour. */
  private toRow({ accountId }: Owner, run: Run, parts: readonly UndoPart[]): PendingOutcome['row'] {
    const { added, changed, disabled, enabled } = countsOfParts(parts)
    const portions = this.writer.ports.storage().undo.nextPortion(run.id)
    if (run.phase === 'done' && portions === 0 && run.confirmed === null) return null
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

const toRecorded = ({ id, kind, startedAt }: Run): Recorded => ({
  id,
  kind,
  actorName: SYSTEM_NAME,
  startedAt,
  isUndoable: kind === 'sync',
})
