import { batch } from '#db/batch.ts'
import { type OutboxContext, toRefreshEntries } from '#db/hub-outbox.ts'
import {
  type ServiceWarning,
  insertServiceWarnings,
  selectDueServices,
} from '#features/account/sql/service-warnings.ts'
import { nextWarning, warningMessage } from '#domain/account/service.ts'
import { minuteText } from '#contract/kernel/time.ts'

/* Job that warns accounts before their services end. */

const PORTION = 100
/** Most portions of one run; the next run takes the rest. */
const PORTIONS = 20

/** Writes site messages about services that end. Open consoles count the new messages. */
export async function warnOfServices(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  for (let portions = 1; portions <= PORTIONS; portions++) {
    const due = await selectDueServices(db, now, PORTION)
    if (due.length === 0) return
    const warnings = due.map(([id, kind, name, startAt, expireAt, sent]): ServiceWarning => {
      const service = { kind, name, startAt, expireAt, endText: minuteText(expireAt) }
      const next = nextWarning(service, JSON.parse(sent) as number[], now)
      return { id, expireAt, ...next, ...warningMessage(service, now) }
    })
    const { hubs } = await batch(db, insertServiceWarnings(db, warnings, now))
    ctx.hubOutbox.push(...toRefreshEntries(hubs))
    if (due.length < PORTION) return
  }
}
