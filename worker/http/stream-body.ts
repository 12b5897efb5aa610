import type { Context, MiddlewareHandler } from 'hono'
import { refuse } from '#contract/kernel/errors.ts'
import type { HonoEnv } from './context.ts'

/* Request bodies that are read as streams. */

/** Body of an endpoint of kind `stream`, which is never in memory as a whole. */
export interface StreamBody {
  readonly stream: ReadableStream
  readonly bytes: number
}

const lengthOf = (c: Context<HonoEnv>): number =>
  c.req.header('transfer-encoding') === undefined ? Number(c.req.header('content-length') ?? 0) : 0

/** Refuses a body by its declared length. A body without a length is refused, because R2 takes none of unknown length. */
export const streamLimit =
  (maxBytes: number): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const bytes = lengthOf(c)
    if (!Number.isSafeInteger(bytes) || bytes <= 0) return refuse('FILE_EMPTY', { noun: '文件' })
    if (bytes > maxBytes) return refuse('BODY_TOO_LARGE')
    return next()
  }

/** Reads the body. It fails if the caller leaves before the end, and nothing is stored. */
export const readStream = (c: Context<HonoEnv>): StreamBody => ({
  stream: c.req.raw.body ?? refuse('FILE_EMPTY', { noun: '文件' }),
  bytes: lengthOf(c),
})
