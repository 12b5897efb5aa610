import { type Versions, downloadApi } from '#contract/download/index.ts'
import { newestBuilds } from '#domain/download/newest-builds.ts'
import type { Ctx } from '#http/context.ts'
import { selectNewestReleases } from './sql.ts'

const addressOf = (key: string): string => `/api/v1/${downloadApi.file.path}?${new URLSearchParams({ key })}`

export async function listVersions(ctx: Ctx): Promise<Versions> {
  const rows = await selectNewestReleases(ctx.db)
  return newestBuilds(
    rows.map(({ id, platform, panel, distribution, version, name, bytes, sha256, notes, releasedAt, key }) => ({
      id,
      platform,
      panel,
      distribution,
      build: { version, release_time: releasedAt, name, bytes, sha256, notes, src: addressOf(key) },
    })),
  )
}
