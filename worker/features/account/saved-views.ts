import type { accountApi } from '#contract/account/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { deleteView, guardViewCount, insertView, selectView, selectViews } from './sql/saved-views.ts'

/* Views of lists that the caller has saved: listed, saved under a name, deleted. */

type Api = typeof accountApi

export const listViews = (ctx: Ctx) => selectViews(ctx.db, requireSession(ctx))

/** A view of the same name makes room for the new one before the number is checked. */
export async function saveView(ctx: Ctx, view: Parsed<Api['saveView']>): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  await batch(db, {
    replaced: deleteView(db, session, { name: view.name }),
    room: guardViewCount(db, session),
    saved: insertView(db, session, { ...view, createdAt: now }),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'save_view',
      target: view.name,
      message: `保存视图“${view.name}”`,
      after: { list: view.list, query: view.query },
    }),
  })
}

export async function deleteSavedView(ctx: Ctx, { id }: Parsed<Api['deleteView']>): Promise<void> {
  const { db } = ctx
  const session = requireSession(ctx)
  const { name } = await requireRow(selectView(db, session, id), 'SAVED_VIEW_NOT_FOUND')
  await batch(db, {
    deleted: deleteView(db, session, { id }),
    audit: auditRow(ctx, { module: 'account', action: 'delete_view', target: name, message: `删除视图“${name}”` }),
  })
}
