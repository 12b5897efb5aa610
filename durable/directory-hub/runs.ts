import { toMessage } from '../../worker/contract/errors.ts'
import { LDAP, LDAP_SYNC } from '../../worker/contract/ldap-limits.ts'
import { batch } from '../../worker/db/batch.ts'
import type { Db } from '../../worker/db/client.ts'
import { notifyHubs, refreshTasks } from '../../worker/db/hub-outbox.ts'
import { insertRun, updateDue } from '../../worker/db/ldap.ts'
import { insertMessageOnce } from '../../worker/db/messages.ts'
import {
  type DirectoryMessage,
  certificateMessage,
  failedMessage,
  stopMessage,
} from '../../worker/domain/ldap/messages.ts'
import { type KnownMember, type Plan, planRun } from '../../worker/domain/ldap/plan.ts'
import { type Run, nextRunAt } from '../../worker/domain/ldap/run.ts'
import { findStop, isConfirmed } from '../../worker/domain/ldap/stop.ts'
import type { DirectoryServer } from '../../worker/outside/directory/connection.ts'
import { NO_WORK, sizeOf } from './apply.ts'
import { type Owner, readMembers } from './database.ts'
import { findViolation } from './refused.ts'
import { type DirectoryRun, countsOf } from './run.ts'
import type { MemberWriter } from './writer.ts'

/** Runs: what the directory says, and what members become by it. */
export class DirectoryRuns {
  private readonly writer: MemberWriter

  constructor(writer: MemberWriter) {
    this.writer = writer
  }

  async run(owner: Owner, working: DirectoryRun, password: string): Promise<void> {
    const { values } = owner
    if (values === null) return
    let server: DirectoryServer | null = null
    try {
      const listed = await working.readUsers(values, password)
      server = listed.server
      const { users } = listed
      const now = Date.now()
      const storage = this.writer.ports.storage()
      const listing = { hash: storage.saveListing(users), count: users.length, listedRevision: owner.revision }
      if (storage.state.hash !== listing.hash || storage.state.listedRevision !== owner.revision)
        storage.update({ ...listing, listedAt: now })
      const members = await readMembers(this.writer.ports.env, owner.accountId)
      const plan = planRun({ users, members, room: owner.max - owner.used })
      working.move({ type: 'compared', counts: countsOf(plan) })
      if (working.run.kind === 'list') working.move({ type: 'ended' })
      else await this.writeRun(owner, working, plan, { users: users.length, members })
      storage.update({ listedAt: now })
    } catch (error) {
      const found = findViolation(error, values.mode)
      working.move({ type: 'failed', failure: toMessage(found) })
    }
    await this.ended(owner, working.run, server)
  }

  private async writeRun(
    owner: Owner,
    working: DirectoryRun,
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
      await this.writer.write(owner, working.run.id, work, null, (count) =>
        working.move({ type: 'wrote', members: count }),
      )
    }
    working.move({ type: 'ended' })
  }

  /** Stores how a run ended, and when the next one comes. */
  async ended(owner: Owner, run: Run, server: DirectoryServer | null): Promise<void> {
    const now = Date.now()
    const storage = this.writer.ports.storage()
    const failures = run.phase === 'failed' ? storage.state.failures + 1 : 0
    const dueAt = owner.syncMode === LDAP_SYNC.automatic ? nextRunAt(now, Math.random()) : null
    const expiresAt = endingSoon(server, now)
    const messages = messagesOf(run, failures)
    if (expiresAt !== null && expiresAt !== storage.state.certificateWarned)
      messages.push(certificateMessage(owner.accountId, expiresAt))
    storage.update({
      run,
      fault: run.failure ?? '',
      failures,
      dueAt,
      updatedAt: now,
      lastedMs: now - run.startedAt,
      ...(run.phase === 'done' && run.kind === 'sync' && { ranRevision: owner.revision }),
      ...(expiresAt !== null && { certificateWarned: expiresAt }),
    })
    const writer = this.writer.createWriter(owner, null)
    const canUndo = run.kind === 'sync' && storage.undo(run.id, now).length > 0
    await batch(writer.db, {
      due: updateDue(writer.db, owner.accountId, dueAt),
      run: isWorthARow(run) && this.insertRunRow(writer.db, owner, run, canUndo),
      ...Object.fromEntries(
        messages.map((message, i) => [`message${i}`, this.insertMessageRow(writer.db, owner, message, now)]),
      ),
      hubs: messages.length > 0 && notifyHubs(writer, refreshTasks('account', [owner.accountHub])),
    })
    this.writer.deliver(owner, writer.hubOutbox)
  }

  private insertRunRow(db: Db, { accountId }: Owner, run: Run, canUndo: boolean) {
    const state = run.phase === 'done' ? 'done' : run.phase === 'asking' ? 'asking' : 'failed'
    return insertRun(db, {
      id: run.id,
      accountId,
      kind: run.kind,
      state,
      actorName: '系统',
      counts: JSON.stringify(run.counts),
      failure: run.failure ?? '',
      canUndo: canUndo ? 1 : 0,
      startedAt: run.startedAt,
      endedAt: run.endedAt ?? run.progressAt,
    })
  }

  private insertMessageRow(db: Db, { accountId }: Owner, { eventId, title, content }: DirectoryMessage, now: number) {
    return insertMessageOnce(db, { accountId, eventId, type: '告警', title, content, createdAt: now })
  }
}

/** When the server's certificate ends, if that is soon. */
function endingSoon(server: DirectoryServer | null, now: number): number | null {
  const expiresAt = server?.certificate?.notAfter ?? null
  return expiresAt !== null && expiresAt - now < LDAP.certificateDays * 86_400_000 ? expiresAt : null
}

function messagesOf({ id, phase, stop, counts, failure }: Run, failures: number): DirectoryMessage[] {
  if (phase === 'asking' && stop) return [stopMessage(id, stop, counts.disabled)]
  return failures === LDAP.failuresAlert ? [failedMessage(id, failure ?? '')] : []
}

/** A run that changed nothing has no row: there is one every hour. */
const isWorthARow = ({ phase, kind, counts: { added, changed, disabled, enabled } }: Run): boolean =>
  phase !== 'done' || (kind === 'sync' && added + changed + disabled + enabled > 0)
