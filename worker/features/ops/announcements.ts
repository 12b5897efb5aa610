import type { Output, Parsed } from '../../contract/endpoint.ts'
import { refuse } from '../../contract/errors.ts'
import type { opsApi } from '../../contract/ops.ts'
import { auditRow, createOperator } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import type { Ctx } from '../../http/context.ts'
import { insertAnnouncement } from './queries.ts'

type Api = typeof opsApi

export async function publishAnnouncement(
  ctx: Ctx,
  { title, tag, content }: Parsed<Api['publishAnnouncement']>,
): Promise<Output<Api['publishAnnouncement']>> {
  const { rows } = await batch(ctx.db, {
    rows: insertAnnouncement(ctx.db, { title, tag, content, releaseAt: ctx.now }),
    audit: auditRow(
      ctx,
      { module: 'ops', action: 'announcement/publish', target: title, message: `运营发布公告“${title}”` },
      createOperator(0),
    ),
  })
  return rows[0] ?? refuse('ANNOUNCEMENT_NOT_FOUND')
}
