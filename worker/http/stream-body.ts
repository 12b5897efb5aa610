import type { Context, MiddlewareHandler } from 'hono'
import { refuse } from '#contract/kernel/errors.ts'
import type { HonoEnv } from './context.ts'

/** The body of an endpoint whose body is a `stream`: never in memory as a whole. */
export interface StreamBody {
  readonly stream: ReadableStream
  readonly bytes: number
}

const lengthOf = (c: Context<HonoEnv>): number =>
  c.req.header('transfer-encoding') === undefined ? Number(c.req.header('content-length') ?? 0) : 0

/** Refuses by the length that the request names; without one nothing is read, because R2 takes no body of unknown length. */
export const streamLimit =
  (maxBytes: number): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const bytes = lengthOf(c)
    if (!Number.isSafeInteger(bytes) || bytes <= 0) return refuse('FILE_EMPTY', { noun: '文件' })
    if (bytes > maxBytes) return refuse('BODY_TOO_LARGE')
    return next()
  }

/** Ends with an error where the caller leaves before its end: nothing is stored then. */
export const readStream = (c: Context<HonoEnv>): StreamBody => ({
  stream: c.req.raw.body ?? refuse('FILE_EMPTY', { noun: '文件' }),
  bytes: lengthOf(c),
})
