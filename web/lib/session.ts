import { useMemo, useSyncExternalStore } from 'react'
import type { UserInfo } from '../../worker/contract/account.ts'
import type { Output } from '../../worker/contract/endpoint.ts'
import { RESULT, ERRORS } from '../../worker/contract/errors.ts'
import { loginApi } from '../../worker/contract/login.ts'
import type { Grants } from '../../worker/contract/permissions.ts'
import { pageMoves } from './page-moves.ts'
import { keepForNextPage } from './toast.ts'
import { ApiError, send } from './transport.ts'

export type Session =
  | { readonly status: 'unknown' } // the first refresh is under way, or got no answer
  | { readonly status: 'anonymous' }
  | { readonly status: 'signed-in'; readonly user: UserInfo }

type Started = Output<typeof loginApi.refresh>
export type Renewal = 'renewed' | 'gone' | 'unreachable'

/** The access token lives in memory only; the refresh token in a cookie no script can read. */
let access: { readonly token: string; readonly expiresAtMs: number } | null = null
let session: Session = { status: 'unknown' }
let renewal: Promise<Renewal> | null = null

const EARLY_MS = 10_000 // a token this close to its end is renewed first, which saves a refused call
const listeners = new Set<() => void>()
const otherTabs = new BroadcastChannel('netloom.session')

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function take({ access_token, token_expire_time, user }: Started): void {
  access = { token: access_token, expiresAtMs: Date.now() + token_expire_time * 1_000 }
  become({ status: 'signed-in', user })
}

/** New access token for the refresh cookie. Calls that come while one is under way share its answer. */
export function renewSession(): Promise<Renewal> {
  renewal ??= send(loginApi.refresh, {}, null)
    .then(({ data }): Renewal => {
      take(data)
      return 'renewed'
    })
    .catch((error: unknown): Renewal => {
      // Only the server's word ends a session: a lost connection must not sign anybody out.
      if (!(error instanceof ApiError) || error.code < RESULT.expired) return 'unreachable'
      access = null
      if (session.status === 'unknown') become({ status: 'anonymous' })
      return 'gone'
    })
    .finally(() => {
      renewal = null
    })
  return renewal
}

/** The session of this page, asked for once at load; `unknown` when no answer came. */
export async function knownSession(): Promise<Session> {
  if (session.status === 'unknown') await renewSession()
  return session
}

/** A token good for a few seconds at least, or null; renewed where its end is near. */
export async function accessToken(): Promise<string | null> {
  if (access !== null && access.expiresAtMs - Date.now() < EARLY_MS) await renewSession()
  return access?.token ?? null
}

/** After any of the sign-in calls. */
export function adoptSession(started: Started): void {
  take(started)
  otherTabs.postMessage('started')
}

/** Ends the session on the server and forgets it here; the caller decides where to go. */
export async function endSession(): Promise<void> {
  const token = access?.token ?? null
  access = null
  become({ status: 'anonymous' })
  otherTabs.postMessage('ended')
  await send(loginApi.logout, {}, token).catch(() => null) // the cookie's session ends by itself if this is lost
}

/** 退出登录 in the menu. */
export async function signOut(): Promise<void> {
  await endSession()
  pageMoves.go('/login')
}

/** The server no longer knows the session: says so, and comes back to this page after a new sign-in. */
export function sessionGone(): void {
  if (session.status === 'anonymous') return // several calls find out at once
  access = null
  become({ status: 'anonymous' })
  keepForNextPage('error', ERRORS.TOKEN_EXPIRED.msg)
  const here = location.pathname + location.search
  pageMoves.go(`/login?${new URLSearchParams({ redirect: here })}`)
}

/** Another tab signed out: so did this one. Another tab signed in, maybe as somebody else: start anew. */
otherTabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'ended' && session.status === 'signed-in') {
    access = null
    become({ status: 'anonymous' })
    pageMoves.go('/login')
  }
  if (data === 'started' && (session.status === 'signed-in' || location.pathname.startsWith('/login'))) {
    pageMoves.reload()
  }
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, () => session)
}

/** Who is signed in; only for pages behind the guard. */
export function useUser(): UserInfo {
  const now = useSession()
  if (now.status !== 'signed-in') throw new Error('useUser outside the guard')
  return now.user
}

/** What the policy asks (contract/permissions.ts). */
export function grantsOf({ ram, flags, networks }: UserInfo): Grants {
  return { kind: ram === 1 ? 'ram' : 'main', flags, networks }
}

export function useGrants(): Grants {
  const user = useUser()
  return useMemo(() => grantsOf(user), [user])
}

export function updateUser(change: Partial<UserInfo>): void {
  if (session.status === 'signed-in') become({ ...session, user: { ...session.user, ...change } })
}
