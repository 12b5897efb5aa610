import { hmac, randomToken, timingSafeEqual } from './secrets.ts'

/**
 * Refresh token of a session, `session.parent.random.mac`; `parent` is the hash of the token before it. The row of the
 * session holds the last token that a client presented, so a client whose answer was lost repeats the call with its old
 * token.
 */
export interface RefreshToken {
  readonly sessionId: string
  /** Hash of the whole text, as the row stores it. */
  readonly hash: string
  /** Hash of the token before it; empty in a session's first one. */
  readonly parent: string
}

export async function createRefreshToken(secret: string, sessionId: string, parent = ''): Promise<string> {
  const body = `${sessionId}.${parent}.${randomToken(16)}`
  return `${body}.${await mac(secret, body)}`
}

/** Reads a token; null for a text that this service did not issue. */
export async function readRefreshToken(secret: string, text: string): Promise<RefreshToken | null> {
  const parts = text.split('.')
  const [sessionId = '', parent = '', , shown = ''] = parts
  const isIssued = parts.length === 4 && timingSafeEqual(shown, await mac(secret, parts.slice(0, 3).join('.')))
  return isIssued ? { sessionId, parent, hash: await refreshHash(secret, text) } : null
}

export const refreshHash = (secret: string, text: string): Promise<string> => hmac(secret, `refresh:${text}`)

const mac = (secret: string, body: string): Promise<string> => hmac(secret, `refresh-token:${body}`)
