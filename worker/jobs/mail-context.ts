import type { MailPort } from '#contract/kernel/outside.ts'
import type { CronRun } from '#db/audit.ts'
import type { Db } from '#db/client.ts'

/** Context of jobs that send mails. */
export interface MailContext extends CronRun {
  readonly db: Db
  readonly mail: Pick<MailPort, 'send'>
  /** Origin of the console in a local run (domain/site/brand.ts). */
  readonly localOrigin?: string | undefined
}
