import type { Answer, Closed, DirectoryActor, DirectoryTask, Undone } from '#contract/ldap/hub.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { selectHub, updateSyncMode } from './sql/config.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { requireHub } from './read.ts'
import type { ldapApi } from '#contract/ldap/index.ts'

/* Commands to the account's directory hub (LDAP): import, remove, sync, confirm, undo, close. */

type Api = typeof ldapApi

/** Caller for the audit rows, which the hub writes in its own batches. */
function actorOf(ctx: Ctx): DirectoryActor {
  const { grants, ramId, accountId, username } = requireSession(ctx)
  return { kind: grants.kind, id: ramId ?? accountId, name: username, ip: ctx.ip }
}

function unwrap<T>(found: Answer<T>): T {
  if (found.refused) throw new Refusal(found.refused)
  return found.answer
}

export const importUsers = (ctx: Ctx, { hash, uuid }: Parsed<Api['import']>) =>
  applyTask(ctx, { kind: 'import', hash, uuids: uuid })

export const importAllUsers = (ctx: Ctx, { hash }: Parsed<Api['importAll']>) =>
  applyTask(ctx, { kind: 'import', hash, uuids: null })

export const removeUsers = (ctx: Ctx, { hash, uuid }: Parsed<Api['remove']>) =>
  applyTask(ctx, { kind: 'remove', hash, uuids: uuid })

export const removeAllUsers = (ctx: Ctx, { hash }: Parsed<Api['removeAll']>) =>
  applyTask(ctx, { kind: 'remove', hash, uuids: null })

export const syncDirectory = (ctx: Ctx, { hash }: Parsed<Api['sync']>) => applyTask(ctx, { kind: 'sync', hash })

export const removeDisabled = (ctx: Ctx) => applyTask(ctx, { kind: 'remove_disable' })

async function applyTask(ctx: Ctx, task: DirectoryTask) {
  const { hub } = await requireHub(ctx)
  const { result, ...counts } = unwrap(await hub.apply(task, actorOf(ctx)))
  return { ...counts, result: [...result] }
}

export async function confirmRun(ctx: Ctx, { hash }: Parsed<Api['confirm']>): Promise<void> {
  const { hub } = await requireHub(ctx)
  unwrap(await hub.confirm(hash, actorOf(ctx)))
}

/** Undoes a run, also of a directory that was closed. */
export async function undoRun(ctx: Ctx, { id }: Parsed<Api['undo']>): Promise<Undone> {
  const row = await requireRow(selectHub(ctx.db, requireAccountId(ctx)), 'LDAP_UNDO_GONE')
  return unwrap(await ctx.hubs.directory(row.hub).undo(id, actorOf(ctx)))
}

export async function closeDirectory(ctx: Ctx, { confirm }: Parsed<Api['delete']>): Promise<Closed> {
  const { hub } = await requireHub(ctx)
  return unwrap(await hub.close(confirm ?? null, actorOf(ctx)))
}

export async function setSyncMode(ctx: Ctx, { sync_mode }: Parsed<Api['syncMode']>): Promise<void> {
  const { db, now } = ctx
  const { hub, config } = await requireHub(ctx)
  if (config.syncMode === sync_mode) return
  const words = sync_mode === 2 ? '自动' : '手动'
  await batch(db, {
    mode: updateSyncMode(db, requireAccountId(ctx), sync_mode, now),
    audit: auditRow(ctx, {
      module: 'ldap',
      action: 'sync_mode',
      target: words,
      message: `同步方式改为${words}`,
      before: { sync_mode: config.syncMode },
      after: { sync_mode },
    }),
  })
  ctx.waitUntil(hub.refresh())
}

export async function restartSync(ctx: Ctx) {
  const { db } = ctx
  const { hub } = await requireHub(ctx)
  await batch(db, {
    audit: auditRow(ctx, { module: 'ldap', action: 'restart_sync', target: '', message: '重新启动目录同步' }),
  })
  if (!(await hub.start(actorOf(ctx)))) refuse('LDAP_BUSY')
  return {}
}
