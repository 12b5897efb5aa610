import { hmac, randomToken } from '../../security/secrets.ts'

/**
 * Refresh tokens read `session.secret`. The successor of a token follows from the token itself, so two tabs that refresh
 * at once derive the same one without a lock. Only the HMAC is stored.
 */
export const newRefreshToken = (sessionId: string): string => `${sessionId}.${randomToken(32)}`

export const createSuccessor = async (secret: string, token: string): Promise<string> =>
  `${sessionIdOf(token)}.${await hmac(secret, `refresh-next:${token}`)}`

export const refreshHash = (secret: string, token: string): Promise<string> => hmac(secret, `refresh:${token}`)

export const sessionIdOf = (token: string): string => token.slice(0, Math.max(0, token.indexOf('.')))

const PATH = '/api/v1/login'

/** A local run speaks plain http, where a browser refuses a Secure cookie from other hosts than localhost. */
export const cookieName = (environment: Env['ENVIRONMENT']): string =>
  environment === 'local' ? 'netloom_refresh' : '__Secure-netloom_refresh'

export function refreshCookie(environment: Env['ENVIRONMENT'], token: string, lifeMs: number): string {
  const secure = environment === 'local' ? '' : '; Secure'
  const age = Math.max(0, Math.floor(lifeMs / 1000))
  return `${cookieName(environment)}=${token}; Path=${PATH}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`
}
