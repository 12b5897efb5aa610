import { eq, max, inArray } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { releases } from '#db/schema/publications.ts'

/* Statements that read published builds of the client application. */

/** Those of the keys that belong to a published build. */
export const selectReleaseKeys = (db: Db, keys: readonly string[]) =>
  db.select({ key: releases.key }).from(releases).where(isOneOf(releases.key, keys))

export const selectNewestReleases = (db: Db) => {
  const newest = db
    .select({ id: max(releases.id) })
    .from(releases)
    .groupBy(releases.platform, releases.panel, releases.distribution)
  return db.select().from(releases).where(inArray(releases.id, newest))
}

/** File of a build by its random key, which is its only address. */
export const selectReleaseFile = (db: Db, key: string) =>
  db
    .select({ name: releases.name, bytes: releases.bytes, sha256: releases.sha256 })
    .from(releases)
    .where(eq(releases.key, key))
