import type { MailPort } from '../contract/outside.ts'
import type { Db } from '../db/client.ts'

/** What a cron run needs to send mails that are due. */
export interface MailContext {
  readonly db: Db
  readonly mail: Pick<MailPort, 'send'>
  /** Of a local run (domain/site/brand.ts). */
  readonly localOrigin?: string | undefined
  readonly now: number
  readonly runId: string
}
