import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRouterRate } from './sql/routers.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { checkResend } from '#domain/router/resend.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { guardNoteRevision, updateNote } from './sql/manage.ts'
import { requireRouterWithNetworks } from './require.ts'
import type { routerApi } from '#contract/router/index.ts'

type Api = typeof routerApi

/** Audit rows, of one member or of many. */
export const noteMessage = (name: string): string => `修改成员“${name}”的备注`
export const resendMessage = (name: string): string => `重新下发成员“${name}”的配置`

/** Changes no document: a note is only displayed. */
export async function editNote(ctx: Ctx, { router_name, note, revision }: Parsed<Api['note']>): Promise<void> {
  const { db } = ctx
  const { grants } = requireSession(ctx)
  const { router, networks } = await requireRouterWithNetworks(ctx, router_name)
  if (!networks.every(({ number }) => coversNetwork(grants, number))) refuse('ROUTER_SHARED')
  throwIf(checkRevision(revision, router.noteRevision))
  await batch(db, {
    unchanged: revision !== undefined && guardNoteRevision(db, router.accountId, router.id, revision),
    note: updateNote(db, router.accountId, router.id, note),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'note',
      target: router.name,
      message: noteMessage(router.name),
      before: { note: router.note },
      after: { note },
    }),
    hubs: notifyHubs(
      ctx,
      refreshTasks(
        'network',
        networks.map(({ hub }) => hub),
      ),
    ),
  })
}

/** Pushes the member's newest configuration again; to a device that is offline when it comes back. */
export async function resendRouter(ctx: Ctx, input: Parsed<Api['resend']>): Promise<void> {
  const { router, networks } = await requireRouterWithNetworks(ctx, input.router_name)
  const { name, hub, routerType } = router
  throwIf(checkResend(routerType, networks))
  await batch(ctx.db, {
    rate: guardRouterRate(ctx.db, requireSession(ctx), 'resend', name, ctx.now),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'resend',
      target: name,
      message: resendMessage(name),
    }),
    hubs: notifyHubs(ctx, [{ kind: 'router', hub, op: 'resend' }]),
  })
}
