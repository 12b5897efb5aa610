import { batch } from '#db/batch.ts'
import { type OutboxContext, toRefreshEntries } from '#db/hub-outbox.ts'
import { type CertificateTrouble, certificateMessage } from '#domain/router/certificate-trouble.ts'
import { type SystemMessage, insertSystemMessages } from '#features/message/sql.ts'
import { selectUnannounced, toCertificateTrouble } from '#features/router/sql/certificate-trouble.ts'

/* Job that writes site messages about certificates of devices. */

/** Most messages of one run; the next run takes the rest. */
const PORTION = 200

/** Open consoles count the new messages. */
export async function warnOfCertificates(ctx: OutboxContext): Promise<void> {
  const { db, now } = ctx
  const { ending, refused } = await batch(db, selectUnannounced(db, now, PORTION))
  const toMessage = (event: string, accountId: number, trouble: CertificateTrouble): SystemMessage => ({
    event,
    accountId,
    ...certificateMessage(trouble),
  })
  const messages = [
    ...ending.map(([event, accountId, routerName, note, endsAt]) =>
      toMessage(event, accountId, toCertificateTrouble({ routerName, note, endsAt, refusal: null, refusedAt: null })),
    ),
    ...refused.map(([event, accountId, routerName, note, refusal, refusedAt]) =>
      toMessage(event, accountId, toCertificateTrouble({ routerName, note, endsAt: null, refusal, refusedAt })),
    ),
  ]
  if (messages.length === 0) return
  const { hubs } = await batch(db, insertSystemMessages(db, messages, now))
  ctx.hubOutbox.push(...toRefreshEntries(hubs))
}
