import type { Context } from 'hono'
import { type Versions, downloadApi, RELEASE } from '#contract/download/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { nameWithSource } from '#domain/auth-source/source.ts'
import { parseRange } from '#domain/download/byte-range.ts'
import { newestBuilds } from '#domain/download/releases.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { readRelease } from './service.ts'
import { selectNewestReleases, selectReleaseFile } from './sql.ts'

/* Builds of the client application for download: the newest of each platform, and the file of one. */

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

/** Media type of a build. Android opens its installer by the type; everything else is saved. */
const typeOf = (name: string): string =>
  name.endsWith('.apk') ? 'application/vnd.android.package-archive' : 'application/octet-stream'

/** Answers the whole build, the part that a resumed download lacks, or 304 if the caller has it already. */
export async function downloadFile(
  ctx: Ctx,
  { key, source }: Parsed<typeof downloadApi.file>,
  c: Context<HonoEnv>,
): Promise<FileReply> {
  const [row] = /^[0-9a-f]{32}$/.test(key) ? await selectReleaseFile(ctx.db, key) : []
  if (!row) return refuse('DOWNLOAD_GONE')
  const { bytes, sha256 } = row
  const name = source === undefined ? row.name : nameWithSource(row.name, source)
  const etag = `"${sha256}"`
  const reply = { type: typeOf(name), name, etag, maxAgeSeconds: RELEASE.cacheSeconds, isPublic: true } as const
  if (c.req.header('if-none-match') === etag) return { ...reply, body: null, status: 304 }
  const ifRange = c.req.header('if-range')
  const part = ifRange === undefined || ifRange === etag ? parseRange(c.req.header('range'), bytes) : null
  if (part === 'beyond') return { ...reply, body: null, status: 416, contentRange: `bytes */${bytes}` }
  const body = await readRelease(ctx.files, key, part)
  return part === null
    ? { ...reply, body }
    : { ...reply, body, status: 206, contentRange: `bytes ${part.first}-${part.last}/${bytes}` }
}
