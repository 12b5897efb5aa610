import { type SQL, eq } from 'drizzle-orm'
import type { WebhookTarget } from '#contract/kernel/outside.ts'
import { type SealedPlace, openSealed, seal } from '#security/sealed.ts'
import { as } from './columns.ts'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'
import { webhooks } from './schema/monitor.ts'

type WebhookRow = typeof webhooks.$inferSelect

const place = (accountId: number, column: 'url_sealed' | 'secret_sealed'): SealedPlace => ({
  table: 'webhooks',
  column,
  accountId,
})

export const selectWebhook = (db: Db, isAccount: SQL) =>
  db
    .select({
      accountId: webhooks.accountId,
      type: as(webhooks.type, 'webhook_type'),
      urlSealed: webhooks.urlSealed,
      urlMasked: webhooks.urlMasked,
      secretSealed: webhooks.secretSealed,
      updatedAt: webhooks.updatedAt,
    })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(isAccount)

export async function openWebhook(
  sealKeys: string,
  row: Pick<WebhookRow, 'accountId' | 'type' | 'urlSealed' | 'secretSealed'>,
): Promise<WebhookTarget> {
  const { accountId, type, urlSealed, secretSealed } = row
  const url = await openSealed(sealKeys, place(accountId, 'url_sealed'), urlSealed)
  const secret = secretSealed === '' ? '' : await openSealed(sealKeys, place(accountId, 'secret_sealed'), secretSealed)
  return { type, url, secret }
}

interface SealedWebhook {
  readonly accountId: number
  readonly masked: string
  readonly now: number
}

export async function sealWebhook(
  sealKeys: string,
  { type, url, secret }: WebhookTarget,
  { accountId, masked, now }: SealedWebhook,
): Promise<WebhookRow> {
  return {
    accountId,
    type,
    urlSealed: await seal(sealKeys, place(accountId, 'url_sealed'), url),
    urlMasked: masked,
    secretSealed: secret === '' ? '' : await seal(sealKeys, place(accountId, 'secret_sealed'), secret),
    updatedAt: now,
  }
}

export const saveWebhook = (db: Db, { accountId, ...row }: WebhookRow) =>
  db
    .insert(webhooks)
    .values({ accountId, ...row })
    .onConflictDoUpdate({ target: webhooks.accountId, set: row })

export const deleteWebhook = (db: Db, accountId: number) => db.delete(webhooks).where(eq(webhooks.accountId, accountId))
