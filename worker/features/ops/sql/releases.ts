import { and, desc, eq } from 'drizzle-orm'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { releases } from '#db/schema/publications.ts'
import type { ReleaseTarget } from '#domain/download/releases.ts'

export const insertRelease = (db: Db, row: typeof releases.$inferInsert) =>
  db.insert(releases).values(row).returning({ id: releases.id })

/** The build of this version for the same target. */
export const selectVersion = (
  db: Db,
  { platform, panel, distribution, version }: ReleaseTarget & { readonly version: string },
) =>
  db
    .select({ id: releases.id })
    .from(releases)
    .where(
      and(
        eq(releases.platform, platform),
        eq(releases.panel, panel),
        eq(releases.distribution, distribution),
        eq(releases.version, version),
      ),
    )

export const selectNewestReleases = (db: Db) =>
  db
    .select({
      id: releases.id,
      platform: releases.platform,
      panel: releases.panel,
      distribution: releases.distribution,
      version: releases.version,
      name: releases.name,
      bytes: releases.bytes,
      sha256: releases.sha256,
      release_time: releases.releasedAt,
    })
    .from(releases)
    .orderBy(desc(releases.id))
    .limit(ROWS_MAX)

export const selectRelease = (db: Db, id: number) => db.select().from(releases).where(eq(releases.id, id))

export const deleteReleaseRow = (db: Db, id: number) => db.delete(releases).where(eq(releases.id, id))
