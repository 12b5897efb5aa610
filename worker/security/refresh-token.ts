import { hmac, randomToken, timingSafeEqual } from './secrets.ts'

/**
 * A refresh token reads `session.parent.random.mac`: `parent` is the hash of the token that it was given for. The session's
 * row holds the token shown last, so an answer that was lost leaves no trace, and its token is shown again.
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

/** The token, or null for a text that this service never issued. */
export async function readRefreshToken(secret: string, text: string): Promise<RefreshToken | null> {
  const parts = text.split('.')
  const [sessionId = '', parent = '', , shown = ''] = parts
  const isIssued = parts.length === 4 && timingSafeEqual(shown, await mac(secret, parts.slice(0, 3).join('.')))
  return isIssued ? { sessionId, parent, hash: await refreshHash(secret, text) } : null
}

export const refreshHash = (secret: string, text: string): Promise<string> => hmac(secret, `refresh:${text}`)

const mac = (secret: string, body: string): Promise<string> => hmac(secret, `refresh-token:${body}`)
