import type { Context } from 'hono'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { checkRelease } from '#domain/download/releases.ts'
import { toFileName } from '#domain/file/upload.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { deleteRelease, storeRelease } from '#features/download/service.ts'
import { readStream } from '#http/stream-body.ts'
import { randomHex } from '#security/secrets.ts'
import { operatorAudit } from './audit.ts'
import {
  deleteReleaseRow,
  insertRelease,
  selectNewestReleases,
  selectRelease,
  selectVersion,
} from './sql/publications.ts'

/* Operator's publication and withdrawal of builds of the client application. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>

/** Publishes a build. Its bytes are stored before its row, so that a listed build can always be downloaded. */
export async function publishRelease(ctx: Ctx, input: OpsInput<'publishRelease'>, c: Context<HonoEnv>) {
  const { name: sentName, ...given } = input
  const body = readStream(c)
  const name = toFileName(sentName)
  throwIf(checkRelease(given, name))
  const { version } = given
  const [taken] = await selectVersion(ctx.db, given)
  if (taken) return refuse('RELEASE_TAKEN', { version })
  const key = randomHex(16)
  await storeRelease(ctx.files, key, body, given.sha256)
  const row = { ...given, key, name, bytes: body.bytes, releasedAt: ctx.now }
  try {
    const { rows } = await batch(ctx.db, { rows: insertRelease(ctx.db, row), audit: audit(ctx, 'publish', row) })
    return rows[0] ?? refuse('RELEASE_NOT_FOUND')
  } catch (error) {
    await deleteRelease(ctx.files, key)
    throw error
  }
}

export const listReleases = async (ctx: Ctx) => selectNewestReleases(ctx.db)

/** Withdraws a build. Its row is deleted before its bytes: a failure leaves only an object without an address. */
export async function withdrawRelease(ctx: Ctx, { id }: OpsInput<'withdrawRelease'>): Promise<void> {
  const row = await requireRow(selectRelease(ctx.db, id), 'RELEASE_NOT_FOUND')
  await batch(ctx.db, { row: deleteReleaseRow(ctx.db, id), audit: audit(ctx, 'withdraw', row) })
  await deleteRelease(ctx.files, row.key)
}

type Row = Parameters<typeof insertRelease>[1]
const WORD = { publish: '发布', withdraw: '撤回' } as const

function audit(ctx: Ctx, action: keyof typeof WORD, row: Row) {
  const { platform, panel = '', distribution = '', version, name, bytes, sha256 } = row
  const target = [platform, panel, distribution, version].filter(Boolean).join(' ')
  const difference = { name, bytes, sha256 }
  return operatorAudit(ctx, 0, {
    action: `release/${action}`,
    target,
    message: `运营${WORD[action]}安装包“${target}”`,
    ...(action === 'publish' ? { after: difference } : { before: difference }),
  })
}
