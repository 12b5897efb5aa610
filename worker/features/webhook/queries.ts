import { eq } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { monitorSettings } from '#db/schema/monitor.ts'

/** The account's webhook, for `selectWebhook`. */
export const isAccount = (accountId: number) => eq(accounts.id, accountId)

/** The channel of an account that has no webhook any longer. */
export const switchOff = (db: Db, accountId: number, now: number) =>
  db.update(monitorSettings).set({ webhookConfirm: 0, updatedAt: now }).where(eq(monitorSettings.accountId, accountId))
