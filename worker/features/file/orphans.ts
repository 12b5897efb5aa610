import type { Db } from '#db/client.ts'
import { deleteUnattachedFiles, selectKnownKeys } from './sql.ts'
import { announcementImageName } from '#features/announcements/service.ts'
import { objectName } from '#domain/file/upload.ts'
import { releaseObjectName } from '#features/download/service.ts'
import { FILE } from '#contract/file/limits.ts'
import { selectNamedImages } from '#features/announcements/sql.ts'
import { selectReleaseKeys } from '#features/download/sql.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/kernel/time.ts'

/* Sweep of the bucket, run by the cron: deletes files that nothing uses a day after their upload. */

const ROWS_PER_RUN = 500
const PARTS = 256

interface ObjectKind {
  readonly toName: (key: string) => string
  readonly selectHeld: (db: Db, keys: readonly string[]) => Promise<readonly string[]>
}

/** Customers' files and published builds have a row; the texts of announcements contain the names of images. */
const KINDS: readonly ObjectKind[] = [
  { toName: objectName, selectHeld: async (db, keys) => (await selectKnownKeys(db, keys)).map(({ key }) => key) },
  {
    toName: announcementImageName,
    selectHeld: async (db, keys) => (await selectNamedImages(db, keys)).map(([key]) => key),
  },
  {
    toName: releaseObjectName,
    selectHeld: async (db, keys) => (await selectReleaseKeys(db, keys)).map(({ key }) => key),
  },
]

/**
 * Deletes rows that were never attached, with their objects; then objects without a row (after a failed batch, an
 * interrupted publication or deletion, a deleted account), and images that no announcement shows any more. Each run looks
 * at one of 256 parts of the bucket, chosen by the minute, so that all parts are seen every 4 hours without any state.
 */
export async function deleteOrphanFiles(db: Db, bucket: R2Bucket, now: number): Promise<void> {
  const before = now - FILE.unattachedHours * HOUR_MS
  const rows = await deleteUnattachedFiles(db, before, ROWS_PER_RUN)
  if (rows.length > 0) await bucket.delete(rows.map(({ key }) => objectName(key)))
  for (const kind of KINDS) await sweep(db, bucket, kind, { part: sweptPart(now), before })
}

/** First digits of the keys that a run at this time looks at. */
export const sweptPart = (now: number): string => (Math.floor(now / MINUTE_MS) % PARTS).toString(16).padStart(2, '0')

async function sweep(
  db: Db,
  bucket: R2Bucket,
  { toName, selectHeld }: ObjectKind,
  { part, before }: { readonly part: string; readonly before: number },
): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await bucket.list({ prefix: toName(part), ...(cursor !== undefined && { cursor }) })
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before)
    const keys = old.map(({ key }) => key.slice(toName('').length))
    const held = new Set(keys.length === 0 ? [] : await selectHeld(db, keys))
    const orphans = keys.filter((key) => !held.has(key))
    if (orphans.length > 0) await bucket.delete(orphans.map(toName))
    if (!page.truncated) return
    cursor = page.cursor
  }
}
