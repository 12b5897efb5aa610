import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { authorizeUntil } from '#domain/contacts/authorization.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { selectVerifiedContact, updateContactExpiry } from './sql/accounts.ts'

/* Operator's change of the end of a contact's authorization. */

export async function setContactExpiry(ctx: Ctx, input: Parsed<typeof opsApi.setContactExpiry>): Promise<void> {
  const { db } = ctx
  const { account, email, expired_time: expiresAt } = input
  const row = await requireRow(selectVerifiedContact(db, account, email.toLowerCase()), 'CONTACT_NOT_FOUND')
  const { accountId, uuid, name, hub } = row
  const entry = {
    action: 'contact/expiry',
    target: uuid,
    message: `运营设置联系人“${name}”的授权到期时间`,
    before: { expiresAt: row.expiresAt },
    after: { expiresAt },
  }
  await batch(db, {
    contact: updateContactExpiry(db, accountId, uuid, authorizeUntil(expiresAt)),
    audit: operatorAudit(ctx, accountId, entry),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
}
