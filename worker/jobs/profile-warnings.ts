import { dateText } from '#contract/kernel/time.ts'
import { batch } from '#db/batch.ts'
import { type OutboxContext, toRefreshEntries } from '#db/hub-outbox.ts'
import { endingMessage } from '#domain/client/profile.ts'
import { recordWarnings, selectEndingProfiles } from '#features/client/sql/profiles.ts'
import { insertSystemMessages } from '#features/message/sql.ts'

/* Job that writes site messages about profiles of software members before they end. */

/** Most profiles of one run; the next day's run takes the rest of an account. */
const PORTION = 200

/** One message a day for an account. Open consoles count it. */
export async function warnOfProfiles(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  const due = await selectEndingProfiles(db, { now, day: dateText(now) }, PORTION)
  if (due.length === 0) return
  const messages = [...Map.groupBy(due, ({ event }) => event)].map(([event, profiles]) => ({
    event,
    accountId: profiles[0]?.accountId ?? 0,
    ...endingMessage(profiles),
  }))
  const { hubs } = await batch(db, {
    ...insertSystemMessages(db, messages, now),
    warned: recordWarnings(
      db,
      due.map(({ id }) => id),
      now,
    ),
  })
  ctx.hubOutbox.push(...toRefreshEntries(hubs))
}
