import type { Context } from 'hono'
import { UPLOAD } from '#contract/kernel/limits.ts'
import type { HonoEnv } from './context.ts'

/* Bodies of calls that were answered before the body was read. */

/** The largest upload of the console: a browser that is still sending shows no answer, but a reset connection. */
const DRAINED_MAX_BYTES = UPLOAD.maxBytes + UPLOAD.overheadBytes

/** Reads the rest of a signed-in caller's body. One of a stranger, or a larger one, ends with its connection. */
export async function drainUnread(c: Context<HonoEnv>): Promise<void> {
  const { body, bodyUsed } = c.req.raw
  if (body === null || bodyUsed || body.locked || !isKnown(c)) return
  const reader = body.getReader()
  try {
    for (let bytes = 0; bytes < DRAINED_MAX_BYTES;) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += (value as Uint8Array).byteLength
    }
  } catch {} // the caller has left
}

/** True for a caller with a token of ours, also an expired one. */
function isKnown(c: Context<HonoEnv>): boolean {
  const { session, client, operator } = c.get('ctx')
  const isExpired = (c.get('tokenFault') as { readonly key: string } | undefined)?.key === 'TOKEN_EXPIRED'
  return session !== null || client !== null || operator !== null || isExpired
}
