import { type Access, type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { toAccess, isKnown, NOT_FOUND } from './pages.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { afterSignIn } from '#lib/session/after-sign-in.ts'

/* Route guard (account 2): leads a signed-in user from the login page to `redirect`, an anonymous user to it. */

export type GuardResult =
  | { readonly kind: 'allow' }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'forbidden' }

interface NavigationRequest {
  readonly pathname: string
  readonly search: string
  readonly access: Access
  /** Rights of the signed-in user; null without a session. */
  readonly grants: Grants | null
}

/** Pages without redirect back after sign-in; the default is home. */
const NO_REDIRECT_BACK = new Set([publicPaths.home, '/dashboard', NOT_FOUND])

export function guardRoute({ pathname, search, access, grants }: NavigationRequest): GuardResult {
  if (grants === null) {
    return access === 'public' ? { kind: 'allow' } : { kind: 'redirect', to: loginAddress(pathname, search) }
  }
  if (isLogin(pathname)) return { kind: 'redirect', to: afterSignIn(search) }
  return isAllowed(access, grants) ? { kind: 'allow' } : { kind: 'forbidden' }
}

function isLogin(pathname: string): boolean {
  return pathname === publicPaths.login || pathname === '/login/index'
}

/**
 * Address of the login page with the requested page as `redirect`. An explicit `redirect` wins; all other parameters stay.
 */
export function loginAddress(pathname: string, search: string): string {
  const query = new URLSearchParams(search)
  if (isLogin(pathname) || query.has('redirect')) return withQuery(publicPaths.login, query)
  const isWorthwhile = isKnown(pathname) && toAccess(pathname) !== 'public' && !NO_REDIRECT_BACK.has(pathname)
  return withQuery(publicPaths.login, new URLSearchParams(isWorthwhile ? { redirect: withQuery(pathname, query) } : {}))
}

function withQuery(pathname: string, query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}
