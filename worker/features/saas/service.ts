import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import type { Ctx } from '#http/context.ts'
import { type selectDeviceToEdit, guardBandwidth, updateBandwidth } from './sql.ts'

/* Saving of a SaaS device's bandwidth, for its own page and for bandwidth pools. Its hub compiles it into the document. */

type Device = Awaited<ReturnType<typeof selectDeviceToEdit>>[number]

export async function saveBandwidth(
  ctx: Ctx,
  { id, accountId, name, hub, bandwidth: before }: Device,
  bandwidth: number,
  entry: Pick<AuditEntry, 'module' | 'message'>,
): Promise<void> {
  const { db, now } = ctx
  const edit = { id, accountId, bandwidth }
  await batch(db, {
    allowed: guardBandwidth(db, edit, now),
    device: updateBandwidth(db, edit),
    audit: auditRow(ctx, {
      ...entry,
      action: 'bandwidth',
      target: name,
      before: { bandwidth: before },
      after: { bandwidth },
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', [hub])),
  })
}
