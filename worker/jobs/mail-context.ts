import type { MailPort } from '#contract/kernel/outside.ts'
import type { Db } from '#db/client.ts'

/** Context of jobs that send mails. */
export interface MailContext {
  readonly db: Db
  readonly mail: Pick<MailPort, 'send'>
  /** Origin of the console in a local run (domain/site/brand.ts). */
  readonly localOrigin?: string | undefined
  readonly now: number
  readonly runId: string
}
