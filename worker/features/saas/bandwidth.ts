import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { checkBandwidth } from '#domain/saas/bandwidth.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { guardBandwidth, selectDeviceToEdit, updateBandwidth } from './sql.ts'

/** The device's hub compiles it into the document. */
export async function editBandwidth(
  ctx: Ctx,
  { router_name, bandwidth }: Parsed<typeof saasApi.bandwidth>,
): Promise<void> {
  const { db, now } = ctx
  const [device] = await selectDeviceToEdit(db, requireSession(ctx), router_name)
  if (!device) return refuse('SAAS_NOT_FOUND')
  if (device.shared === 1) return refuse('ROUTER_SHARED')
  throwIf(checkBandwidth(device, bandwidth, now))
  const edit = { id: device.id, accountId: device.accountId, bandwidth }
  await batch(db, {
    allowed: guardBandwidth(db, edit, now),
    device: updateBandwidth(db, edit),
    audit: auditRow(ctx, {
      module: 'saas',
      action: 'bandwidth',
      target: device.name,
      message: `修改SaaS设备“${device.name}”的带宽`,
      before: { bandwidth: device.bandwidth },
      after: { bandwidth },
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', [device.hub])),
  })
}
