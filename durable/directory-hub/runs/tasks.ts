import type { Answer, Applied, Closed, DirectoryActor, DirectoryTask, Undone } from '#contract/ldap/hub.ts'
import { LDAP, LDAP_SYNC } from '#contract/ldap/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { type Db, openPrimary } from '#db/client.ts'
import {
  deleteConfig,
  endUndo,
  guardReferred,
  holdCa,
  releaseCa,
  saveConfig,
  selectUndoable,
  selectWholeConfig,
  updateDue,
  updateSyncMode,
} from '#features/ldap/sql/config.ts'
import { selectRestored } from '#features/ldap/sql/members.ts'
import type { KnownMember, Plan } from '#domain/ldap/plan.ts'
import { type Outside, countOutside } from '#domain/ldap/run.ts'
import { randomHex } from '#security/secrets.ts'
import type { Owner, Recorded } from '../database.ts'
import { NO_WORK, auditCount, planTask, sizeOf, withOutside } from '../members/member-work.ts'
import { leftOf, planUndo, toUndone } from '../members/undo-work.ts'
import { refused, toAnswer } from '../connection/failure-answer.ts'
import type { DirectoryHubDeps, MemberWriter } from '../members/member-writer.ts'

/** Tasks of people on directory members: import, removal, confirmation, undo, closing. The hub runs one at a time. */
export class DirectoryTasks {
  private readonly deps: DirectoryHubDeps
  private readonly writer: MemberWriter

  constructor(deps: DirectoryHubDeps, writer: MemberWriter) {
    this.deps = deps
    this.writer = writer
  }

  async confirmed(owner: Owner, count: number, by: DirectoryActor): Promise<void> {
    const context = this.writer.createContext(owner, by)
    await batch(context.db, {
      due: updateDue(context.db, owner.accountId, context.now),
      audit: auditCount(context, 'confirm', count, `确认目录同步，停用成员${count}个`),
    })
  }

  apply(owner: Owner, plan: Plan, task: DirectoryTask, by: DirectoryActor): Promise<Answer<Applied>> {
    return toAnswer(modeOf(owner), async () => {
      const { work, result } = planTask(plan, task)
      let outside: readonly Outside[] = []
      if (sizeOf(work) > 0) {
        const kind = task.kind === 'sync' ? 'sync' : task.kind === 'import' ? 'import' : 'remove'
        outside = await this.writer.write(owner, toRecorded(kind, by), work, { by })
        if (kind === 'sync') this.deps.storage().update({ ranRevision: owner.revision })
      }
      const removed = work.deleted.length
      return {
        added: work.added.length,
        changed: work.changed.length,
        disabled: work.disabled.length,
        enabled: work.enabled.length,
        conflicts: plan.conflicts.length,
        removable: task.kind === 'remove' || task.kind === 'remove_disable' ? removed : plan.removable.length,
        ...countOutside(outside),
        result: withOutside(result, outside),
      }
    })
  }

  /**
   * A repeated undo goes on after the cut-off or with new seats: restored members and a configuration that is back are left
   * alone. One that would change nothing is refused, so that it is still there once another undo has brought its members back.
   */
  async undo(owner: Owner, members: readonly KnownMember[], id: string, by: DirectoryActor): Promise<Answer<Undone>> {
    const { accountId } = owner
    const storage = this.deps.storage()
    const parts = storage.undo.parts(id, Date.now())
    const [row] = parts.length === 0 ? [] : await selectUndoable(openPrimary(this.deps.env), accountId, id)
    const planned = planUndo(parts, { members, max: owner.max, sign: owner.sign ?? '' })
    const { work, withoutPhone, isWaiting } = planned
    const isBack = planned.config !== null && planned.config.createdAt === owner.configuredAt
    const config = isBack ? null : planned.config
    const plan = { ...planned, config }
    const isReplaced = config !== null && owner.revision !== null
    if (!row || owner.sign === null || isReplaced) return refused('LDAP_UNDO_GONE')
    const left = leftOf(plan.left)
    if (sizeOf(work) === 0 && left.left > 0 && config === null) return refused('LDAP_UNDO_NONE', left)
    const standing = (db: Db) =>
      config === null ? {} : guardReferred(db, accountId, config, violation('LDAP_UNDO_REFERRED'))
    return toAnswer(modeOf(owner), async () => {
      const recorded = { ...toRecorded('undo', by), isUndoable: false, left }
      await this.writer.write(owner, recorded, work, {
        by,
        // Sets manual mode, else the next run would do the same again.
        each: ({ db, now }) => ({
          ...standing(db),
          mode: updateSyncMode(db, accountId, LDAP_SYNC.manual, now),
        }),
        last: {
          parts: [],
          statements: (context) => ({
            ...standing(context.db),
            restored: config !== null && saveConfig(context.db, { ...config, revision: context.now }),
            ca: config !== null && holdCa(context.db, accountId, config.caKey),
            undone: !isWaiting && endUndo(context.db, accountId, id),
            due: updateDue(context.db, accountId, null),
            phones:
              withoutPhone.length > 0 &&
              auditCount(
                context,
                'restore',
                withoutPhone.length,
                `撤销时${withoutPhone.length}个成员的手机号已被其他成员使用，留空`,
                { members: withoutPhone.slice(0, LDAP.namesKept) },
              ),
          }),
        },
      })
      if (!isWaiting) storage.undo.delete(id)
      storage.update({ dueAt: null })
      const { restored } = work
      const stored = restored.length === 0 ? [] : await selectRestored(openPrimary(this.deps.env), accountId, restored)
      return toUndone(plan, stored)
    })
  }

  async close(
    owner: Owner,
    members: readonly KnownMember[],
    count: number | null,
    by: DirectoryActor,
  ): Promise<Answer<Closed>> {
    const { accountId } = owner
    const imported = members.flatMap(({ id, uid, name, link }) =>
      link ? [{ id, uid, name, uuid: link.directoryId }] : [],
    )
    if (imported.length > 0 && count !== imported.length)
      return refused('LDAP_CLOSE_UNCONFIRMED', { count: imported.length })
    return toAnswer(modeOf(owner), async () => {
      const [config] = await selectWholeConfig(openPrimary(this.deps.env), accountId)
      const work = { ...NO_WORK, deleted: imported }
      const recorded = toRecorded('close', by)
      await this.writer.write(owner, recorded, work, {
        by,
        last: {
          parts: config ? [{ kind: 'config', row: config }] : [],
          statements: (context) => ({
            closed: deleteConfig(context.db, accountId),
            ca: releaseCa(context.db, accountId, context.now),
            due: updateDue(context.db, accountId, null),
            closing: auditCount(context, 'delete', imported.length, `关闭LDAP接入，移除成员${imported.length}个`),
          }),
        },
      })
      return { id: recorded.id }
    })
  }
}

const modeOf = ({ values }: Owner) => values?.mode ?? 'private'

const toRecorded = (kind: Recorded['kind'], by: DirectoryActor): Recorded => ({
  id: randomHex(16),
  kind,
  actorName: by.name,
  startedAt: Date.now(),
  isUndoable: true,
})
