import type { authSourceApi } from '#contract/auth-source/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import {
  deleteBindingsOfSource,
  deleteRequestsOfSource,
  endSignInsOfSource,
  guardAuthSources,
  deleteSource,
  selectSource,
  updateSource,
} from './sql.ts'
import { batch } from '#db/batch.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'

type Api = typeof authSourceApi

export const enableSource = (ctx: Ctx, { id }: Parsed<Api['enable']>): Promise<void> => setSourceStatus(ctx, id, 1)

export const disableSource = (ctx: Ctx, { id }: Parsed<Api['disable']>): Promise<void> => setSourceStatus(ctx, id, 0)

/** Turns a source on or off; off signs out the people who used it, and ends sign-ins that are under way. */
async function setSourceStatus(ctx: Ctx, id: number, status: 0 | 1): Promise<void> {
  const { db, now } = ctx
  const { accountId, name, status: before } = await requireSource(ctx, id)
  if (before === status) return
  const word = status === 1 ? '启用' : '停用'
  await batch(db, {
    isOn: guardAuthSources(db, accountId),
    source: updateSource(db, accountId, id, { status }, now),
    ...(status === 0 && endSignInsOfSource(ctx, accountId, id)),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: status === 1 ? 'enable' : 'disable',
      target: name,
      message: `${word}认证源“${name}”`,
      before: { status: before },
      after: { status },
    }),
  })
}

export async function removeSource(ctx: Ctx, { id }: Parsed<Api['delete']>): Promise<void> {
  const { db } = ctx
  const { accountId, name, type, appId } = await requireSource(ctx, id)
  await batch(db, {
    isOn: guardAuthSources(db, accountId),
    bindings: deleteBindingsOfSource(db, accountId, id),
    ...endSignInsOfSource(ctx, accountId, id),
    ended: deleteRequestsOfSource(db, accountId, id),
    source: deleteSource(db, accountId, id),
    audit: auditRow(ctx, {
      module: 'auth_source',
      action: 'delete',
      target: name,
      message: `删除认证源“${name}”`,
      before: { type, name, app_id: appId },
    }),
  })
}

async function requireSource(ctx: Ctx, id: number) {
  const accountId = requireAccountId(ctx)
  const { rows } = await batch(ctx.db, {
    isOn: guardAuthSources(ctx.db, accountId),
    rows: selectSource(ctx.db, accountId, id),
  })
  return rows[0] ?? refuse('AUTH_SOURCE_NOT_FOUND')
}
