import { FILE } from '../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { deleteUnattachedFiles, selectKnownKeys } from '../../db/files.ts'
import { objectName } from '../../http/files.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const ROWS_PER_RUN = 500
const PARTS = 256

/**
 * Deletes unattached files a day after their upload: rows that were never attached with their objects, then objects without
 * a row (a batch that failed, an account that was deleted, a deletion cut short). Of the bucket each run looks at one of
 * 256 parts, the minute says which, so all of it is seen every 4 hours without any state.
 */
export async function deleteOrphanFiles(db: Db, bucket: R2Bucket, now: number): Promise<void> {
  const before = now - FILE.unattachedHours * HOUR_MS
  const rows = await deleteUnattachedFiles(db, before, ROWS_PER_RUN)
  if (rows.length > 0) await bucket.delete(rows.map(({ key }) => objectName(key)))

  for (let cursor: string | undefined; ;) {
    const page = await bucket.list({ prefix: sweptPrefix(now), ...(cursor !== undefined && { cursor }) })
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before)
    await deleteUnknown(db, bucket, old)
    if (!page.truncated) return
    cursor = page.cursor
  }
}

/** The part of the bucket that a run at this time looks at. */
export const sweptPrefix = (now: number): string =>
  objectName((Math.floor(now / MINUTE_MS) % PARTS).toString(16).padStart(2, '0'))

async function deleteUnknown(db: Db, bucket: R2Bucket, objects: readonly R2Object[]): Promise<void> {
  if (objects.length === 0) return
  const keys = objects.map(({ key }) => key.slice(objectName('').length))
  const known = new Set((await selectKnownKeys(db, keys)).map(({ key }) => key))
  const unknown = keys.filter((key) => !known.has(key))
  if (unknown.length > 0) await bucket.delete(unknown.map(objectName))
}
