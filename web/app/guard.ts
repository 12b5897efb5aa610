import type { Access } from '../../worker/contract/permissions.ts'
import { NOT_FOUND, titleOf } from './paths.ts'

export type Verdict =
  | { readonly kind: 'enter' }
  | { readonly kind: 'go'; readonly to: string }
  | { readonly kind: 'sign-out'; readonly to: string }

interface Visit {
  readonly pathname: string
  readonly search: string
  readonly access: Access
  readonly isSignedIn: boolean
}

/** Not worth coming back to. */
const NO_AIM = new Set(['/', '/dashboard', NOT_FOUND])

/** Who may open which address (account 2). What a role may do on a page is the page's own matter. */
export function judge({ pathname, search, access, isSignedIn }: Visit): Verdict {
  const hasToken = new URLSearchParams(search).has('token')
  if (isSignedIn) {
    if (hasToken) return { kind: 'sign-out', to: `/login${search}` }
    return isLogin(pathname) ? { kind: 'go', to: '/' } : { kind: 'enter' }
  }
  if (access === 'public') return { kind: 'enter' }
  return { kind: 'go', to: loginAddress(pathname, search) }
}

export function isLogin(pathname: string): boolean {
  return pathname === '/login' || pathname === '/login/index'
}

/** The sign-in page, which remembers where the visitor wanted to go. A token link keeps its whole query. */
function loginAddress(pathname: string, search: string): string {
  const query = new URLSearchParams(search)
  const token = query.get('token')
  query.delete('token')
  const rest = query.toString()
  const login = new URLSearchParams()
  if (token !== null) login.set('token', token)
  if (!NO_AIM.has(pathname) && titleOf(pathname) !== undefined)
    login.set('redirect', rest === '' ? pathname : `${pathname}?${rest}`)
  const text = login.toString()
  return text === '' ? '/login' : `/login?${text}`
}
