import type { StatusPort } from '#contract/kernel/status.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import { saveJobRun } from '#db/retention.ts'
import { CRON_JOB, selectPresent } from '#features/ops/sql/status.ts'

/** Records that the cron runs, and keeps the number of routers online, which status compares an hour later. */
export async function sampleStatus(db: Db, status: Pick<StatusPort, 'sample'>, now: number): Promise<void> {
  const { present } = await batch(db, { present: selectPresent(db), run: saveJobRun(db, CRON_JOB, now) })
  await status.sample(present[0]?.[0] ?? 0)
}
