import { type SQL, eq } from 'drizzle-orm'
import { as } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { webhooks, monitorSettings } from '#db/schema/monitor.ts'

/* Statements on the alert webhook of an account. */

export const isAccount = (accountId: number) => eq(accounts.id, accountId)

/** Turns off the alert channel of an account without a webhook. */
export const switchOff = (db: Db, accountId: number, now: number) =>
  db.update(monitorSettings).set({ webhookConfirm: 0, updatedAt: now }).where(eq(monitorSettings.accountId, accountId))

type WebhookRow = typeof webhooks.$inferSelect

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

/** Account and host that messages name as their sender. */
export const selectSender = (db: Db, isAccount: SQL) =>
  db
    .select({ username: accounts.username, nickname: accounts.nickname, host: accounts.host })
    .from(accounts)
    .where(isAccount)

export const saveWebhook = (db: Db, { accountId, ...row }: WebhookRow) =>
  db
    .insert(webhooks)
    .values({ accountId, ...row })
    .onConflictDoUpdate({ target: webhooks.accountId, set: row })

export const deleteWebhook = (db: Db, accountId: number) => db.delete(webhooks).where(eq(webhooks.accountId, accountId))
