import type { Parsed } from '#contract/kernel/endpoint.ts'
import { FIRST_STEP_TITLE, type overviewApi } from '#contract/overview/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { deleteDismissedSteps, insertDismissedSteps } from './sql.ts'

/** Repeated, it changes nothing: there is nothing to read before. */
export async function dismissSteps(
  ctx: Ctx,
  { steps, dismissed }: Parsed<typeof overviewApi.dismissSteps>,
): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const titles = steps.map((step) => FIRST_STEP_TITLE[step]).join('、')
  await batch(db, {
    steps:
      dismissed === 1 ? insertDismissedSteps(db, accountId, steps, now) : deleteDismissedSteps(db, accountId, steps),
    audit: auditRow(ctx, {
      module: 'overview',
      action: 'dismiss_steps',
      target: steps.join(','),
      message: `${dismissed === 1 ? '隐藏' : '恢复'}新手引导“${titles}”`,
      after: { steps, dismissed },
    }),
  })
}
