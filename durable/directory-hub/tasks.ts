import type { Answer, Applied, DirectoryActor, DirectoryTask } from '../../worker/contract/directory-hub.ts'
import { LDAP, LDAP_SYNC } from '../../worker/contract/ldap-limits.ts'
import { auditRow } from '../../worker/db/audit.ts'
import { batch } from '../../worker/db/batch.ts'
import { openPrimary } from '../../worker/db/client.ts'
import {
  deleteConfig,
  endUndo,
  insertRun,
  saveConfig,
  selectWholeConfig,
  updateDue,
  updateSyncMode,
} from '../../worker/db/ldap.ts'
import type { KnownMember, Plan } from '../../worker/domain/ldap/plan.ts'
import { NO_COUNTS } from '../../worker/domain/ldap/run.ts'
import { randomHex } from '../../worker/security/secrets.ts'
import { NO_WORK, type Work, sizeOf } from './apply.ts'
import type { Owner } from './database.ts'
import { actorOf } from './member-writes.ts'
import { planTask } from './plan-task.ts'
import { refused, toAnswer } from './refused.ts'
import { toUndoWork } from './undo.ts'
import type { MemberWriter } from './writer.ts'

/** What people do to the members of a directory, one at a time. */
export class DirectoryTasks {
  isWorking = false
  private readonly writer: MemberWriter

  constructor(writer: MemberWriter) {
    this.writer = writer
  }

  async confirmed(owner: Owner, count: number, by: DirectoryActor): Promise<void> {
    const writer = this.writer.createWriter(owner, by)
    await batch(writer.db, {
      due: updateDue(writer.db, owner.accountId, writer.now),
      audit: auditRow(
        writer,
        { module: 'ldap', action: 'confirm', target: String(count), message: `确认目录同步，停用成员${count}个` },
        actorOf(writer),
      ),
    })
  }

  apply(owner: Owner, plan: Plan, task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>> {
    return this.alone(owner, async () => {
      const { work, result } = planTask(plan, task)
      if (sizeOf(work) > 0)
        await this.record(owner, task.kind === 'sync' ? 'sync' : task.kind === 'import' ? 'import' : 'remove', work, by)
      const removed = work.deleted.length
      return {
        added: work.added.length,
        changed: work.changed.length,
        disabled: work.disabled.length,
        enabled: work.enabled.length,
        conflicts: plan.conflicts.length,
        removable: task.kind === 'remove' || task.kind === 'remove_disable' ? removed : plan.removable.length,
        result,
      }
    })
  }

  async undo(owner: Owner, members: readonly KnownMember[], id: string, by: DirectoryActor): Promise<Answer<null>> {
    const parts = this.writer.ports.storage().undo(id, Date.now())
    if (parts.length === 0 || owner.sign === null) return refused('LDAP_UNDO_GONE')
    return this.alone(owner, async () => {
      const { work, kept, config } = toUndoWork(parts, members)
      const undone = randomHex(16)
      const db = openPrimary(this.writer.ports.env)
      const now = Date.now()
      if (sizeOf(work) > 0) await this.writer.write(owner, undone, work, by)
      for (let from = 0; from < kept.length; from += LDAP.writePortion)
        await this.writer.restore(owner, kept.slice(from, from + LDAP.writePortion), by)
      await batch(db, {
        config: config !== null && saveConfig(db, { ...config, revision: now }),
        mode: updateSyncMode(db, owner.accountId, LDAP_SYNC.manual, now), // else the next run would do the same again
        used: insertRun(db, this.toRow(owner, { id: undone, kind: 'undo', work, by, canUndo: false })),
        undone: endUndo(db, owner.accountId, id),
        due: updateDue(db, owner.accountId, null),
      })
      const storage = this.writer.ports.storage()
      storage.deleteUndo(id)
      storage.deleteUndo(undone)
      storage.update({ dueAt: null })
      return null
    })
  }

  async close(
    owner: Owner,
    members: readonly KnownMember[],
    count: number | null,
    by: DirectoryActor,
  ): Promise<Answer<null>> {
    const imported = members.flatMap(({ id, name, link }) => (link ? [{ id, name, uuid: link.directoryId }] : []))
    if (imported.length > 0 && count !== imported.length)
      return refused('LDAP_CLOSE_UNCONFIRMED', { count: imported.length })
    return this.alone(owner, async () => {
      const { storage, env } = { storage: this.writer.ports.storage(), env: this.writer.ports.env }
      const db = openPrimary(env)
      const [config] = await selectWholeConfig(db, owner.accountId)
      const id = randomHex(16)
      const writer = this.writer.createWriter(owner, by)
      if (config) storage.addUndo(id, { kind: 'config', row: config }, writer.now)
      const work = { ...NO_WORK, deleted: imported }
      await this.writer.write(owner, id, work, by)
      await batch(db, {
        config: deleteConfig(db, owner.accountId),
        due: updateDue(db, owner.accountId, null),
        run: insertRun(db, this.toRow(owner, { id, kind: 'close', work, by, canUndo: true })),
        audit: auditRow(
          writer,
          {
            module: 'ldap',
            action: 'delete',
            target: String(imported.length),
            message: `关闭LDAP接入，移除成员${imported.length}个`,
          },
          actorOf(writer),
        ),
      })
      return null
    })
  }

  /** Writes, with a row of its own among the runs. */
  private async record(
    owner: Owner,
    kind: 'sync' | 'import' | 'remove',
    work: Work,
    by: DirectoryActor,
  ): Promise<void> {
    const id = randomHex(16)
    await this.writer.write(owner, id, work, by)
    const db = openPrimary(this.writer.ports.env)
    await insertRun(db, this.toRow(owner, { id, kind, work, by, canUndo: true }))
    if (kind === 'sync') this.writer.ports.storage().update({ ranRevision: owner.revision })
  }

  private toRow(
    { accountId }: Owner,
    {
      id,
      kind,
      work,
      by,
      canUndo,
    }: {
      id: string
      kind: 'sync' | 'import' | 'remove' | 'undo' | 'close'
      work: Work
      by: DirectoryActor
      canUndo: boolean
    },
  ) {
    const { added, changed, disabled, enabled, deleted } = work
    const counts = {
      ...NO_COUNTS,
      added: added.length,
      changed: changed.length,
      disabled: disabled.length,
      enabled: enabled.length,
      removable: deleted.length,
    }
    const now = Date.now()
    return {
      id,
      accountId,
      kind,
      state: 'done',
      actorName: by.name,
      counts: JSON.stringify(counts),
      canUndo: canUndo ? 1 : 0,
      startedAt: now,
      endedAt: now,
    } as const
  }

  private async alone<T>(owner: Owner, work: () => Promise<T>): Promise<Answer<T>> {
    this.isWorking = true
    try {
      return await toAnswer(owner.values?.mode ?? 'private', work)
    } finally {
      this.isWorking = false
    }
  }
}
