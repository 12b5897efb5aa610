const PATH = '/api/v1/login'

/** A local run speaks plain http, where a browser refuses a Secure cookie from other hosts than localhost. */
export const cookieName = (environment: Env['ENVIRONMENT']): string =>
  environment === 'local' ? 'netloom_refresh' : '__Secure-netloom_refresh'

export function refreshCookie(environment: Env['ENVIRONMENT'], token: string, lifeMs: number): string {
  const secure = environment === 'local' ? '' : '; Secure'
  const age = Math.max(0, Math.floor(lifeMs / 1000))
  return `${cookieName(environment)}=${token}; Path=${PATH}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`
}
