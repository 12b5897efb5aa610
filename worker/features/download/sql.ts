import { eq, max, inArray } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { releases } from '#db/schema/publications.ts'

/** Those of the keys that a published build names. */
export const selectReleaseKeys = (db: Db, keys: readonly string[]) =>
  db.select({ key: releases.key }).from(releases).where(isOneOf(releases.key, keys))

/** The newest of each platform, panel and distribution. */
export const selectNewestReleases = (db: Db) => {
  const newest = db
    .select({ id: max(releases.id) })
    .from(releases)
    .groupBy(releases.platform, releases.panel, releases.distribution)
  return db.select().from(releases).where(inArray(releases.id, newest))
}

/** Release file by the random name alone, which is the address. */
export const selectReleaseFile = (db: Db, key: string) =>
  db
    .select({ name: releases.name, bytes: releases.bytes, sha256: releases.sha256 })
    .from(releases)
    .where(eq(releases.key, key))
