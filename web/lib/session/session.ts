import { useMemo } from 'react'
import type { UserInfo } from '#contract/account/user-info.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { SENTENCE, RESULT } from '#contract/kernel/result.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { readStored, writeStored } from './browser-storage.ts'
import { dropForeignDrafts, keepDrafts, ownerOf } from './drafts.ts'
import { navigation } from '#lib/navigation.ts'
import { createStore, useStore } from '#lib/store.ts'
import { flashToast, toast } from '#lib/toast/toast.ts'
import { openBookmarks } from '#lib/call/bookmark.ts'
import { ApiError, networkError, send } from '#lib/call/transport.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { signIn } from '#contract/login/sign-in.ts'

/* Session of this page: access token, renewal, sign-out, sync with other tabs, and hooks of the user. */

export type Session =
  | { readonly status: 'unknown' } // the first refresh is under way, or got no answer
  | { readonly status: 'anonymous' }
  | { readonly status: 'signed-in'; readonly user: UserInfo }

type Started = Output<typeof signIn.refresh>
export type Renewal = 'renewed' | 'gone' | 'unreachable'

/** The access token lives in memory only; the refresh token in a cookie no script can read. */
let access: { readonly token: string; readonly expiresAtMs: number } | null = null
const session = createStore<Session>({ status: 'unknown' })
let renewal: Promise<Renewal> | null = null

/** Set in localStorage while a session is likely, because no script can read the cookie itself. */
const HINT = 'netloom.signed-in'

const SIGNED_OUT_ELSEWHERE = '已在其他页面退出登录'
const RIGHTS_CHANGED = '您的权限已变更，页面已重新载入'
const EARLY_MS = 10_000 // renews a token this long before its end, which saves a refused call
const otherTabs = new BroadcastChannel('netloom.session')

function setSession(next: Session): void {
  if (next.status !== 'unknown') writeStored('localStorage', HINT, next.status === 'signed-in' ? '1' : null)
  session.set(next)
}

function startSession({ access_token, token_expire_time, user }: Started): void {
  access = { token: access_token, expiresAtMs: Date.now() + token_expire_time * 1_000 }
  openBookmarks(ownerOf(user))
  dropForeignDrafts(user)
  const before = session.get()
  setSession({ status: 'signed-in', user })
  if (before.status !== 'signed-in' || ownerOf(before.user) !== ownerOf(user)) return
  if (rightsOf(before.user) === rightsOf(user)) return
  keepDrafts(user)
  flashToast('error', RIGHTS_CHANGED)
  navigation.reload() // drops data that was read under other rights
}

const rightsOf = ({ flags, networks }: UserInfo): string => JSON.stringify([flags, networks])

/** Refusal of the last refresh by a busy service, and the time until which it asks to wait. */
let busy: { readonly refusal: ApiError; readonly untilMs: number } | null = null

const toBusy = (refusal: ApiError): typeof busy =>
  refusal.retryAfter === undefined ? null : { refusal, untilMs: Date.now() + refusal.retryAfter * 1_000 }

const busyRefusal = (): ApiError | null => (busy !== null && Date.now() < busy.untilMs ? busy.refusal : null)

/** Reason why the session is `unreachable`. */
export const renewalFailure = (): ApiError => busyRefusal() ?? networkError()

/**
 * New access token for the refresh cookie. Single flight: concurrent calls share one refresh. A service that asked to wait is
 * not asked again before.
 */
export function renewSession(): Promise<Renewal> {
  if (busyRefusal() !== null) return Promise.resolve('unreachable')
  renewal ??= inTurn(() => send(signIn.refresh, {}, null))
    .then(({ data }): Renewal => {
      startSession(data)
      return 'renewed'
    })
    .catch((error: unknown): Renewal => {
      // Only a refusal by the server ends the session; a network error does not.
      if (!(error instanceof ApiError) || error.code < RESULT.expired) {
        busy = error instanceof ApiError ? toBusy(error) : null
        return 'unreachable'
      }
      access = null
      if (session.get().status === 'unknown') {
        if (readStored('localStorage', HINT) !== null) toast.error(SENTENCE.tokenExpired) // account 4, 8
        setSession({ status: 'anonymous' })
      }
      return 'gone'
    })
    .finally(() => {
      renewal = null
    })
  return renewal
}

/** Tabs refresh one after another, so that no tab sends a cookie that another answer has just retired. */
async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined // plain http has none
  let asked: Promise<T> | undefined
  const granted = () => (asked = ask())
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS) // longest wait for a tab that hangs
  await locks?.request('netloom.refresh', { signal }, granted).catch(() => null)
  return asked ?? ask()
}

/**
 * Session without a wait if there probably is none: a public page renders at once, and the answer may still redirect it.
 */
export async function probableSession(): Promise<Session> {
  const known = knownSession()
  try {
    if (localStorage.getItem(HINT) === null) return session.get()
  } catch {
    // storage blocked
  }
  return known
}

/** A new sign-in follows, so that the end of a former session is no news. */
export const expectSignIn = (): void => void writeStored('localStorage', HINT, null)

/** Session of this page, asked for once at load; `unknown` if no answer came. */
export async function knownSession(): Promise<Session> {
  if (session.get().status === 'unknown') await renewSession()
  return session.get()
}

/** Token that is valid for some seconds at least, or null; renewed near its end. */
export async function accessToken(): Promise<string | null> {
  if (access !== null && access.expiresAtMs - Date.now() < EARLY_MS) await renewSession()
  return access?.token ?? null
}

export function adoptSession(started: Started): void {
  startSession(started)
  otherTabs.postMessage('started')
}

/** Ends the session on the server and forgets it here; the caller decides where to go. */
export async function endSession(): Promise<void> {
  const token = access?.token ?? null
  access = null
  setSession({ status: 'anonymous' })
  otherTabs.postMessage('ended')
  await send(signIn.logout, {}, token).catch(() => null) // if this call is lost, the cookie's session expires later
}

export async function signOut(): Promise<void> {
  await endSession()
  navigation.assign(publicPaths.login)
}

/** Handles a session that the server refuses: resets, says so on the login page, and returns here after a new sign-in. */
export function onSessionEnded(): void {
  const ended = session.get()
  if (ended.status === 'anonymous') return // several calls may be refused at once
  if (ended.status === 'signed-in') keepDrafts(ended.user)
  access = null
  setSession({ status: 'anonymous' })
  flashToast('error', SENTENCE.tokenExpired)
  const here = location.pathname + location.search
  navigation.assign(`/login?${new URLSearchParams({ redirect: here })}`)
}

/** Follows other tabs: a sign-out ends this tab too; a sign-in, maybe to another account, reloads it. */
otherTabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const here = session.get()
  if (data === 'ended' && here.status === 'signed-in') {
    access = null
    setSession({ status: 'anonymous' })
    flashToast('error', SIGNED_OUT_ELSEWHERE)
    navigation.assign(publicPaths.login)
  }
  if (data === 'started' && (here.status === 'signed-in' || location.pathname.startsWith(publicPaths.login))) {
    if (here.status === 'signed-in') keepDrafts(here.user) // the sign-in may have followed the end of this session
    navigation.reload()
  }
})

export const useSession = () => useStore(session)

/** The signed-in user; only for pages behind the guard. */
export function useUser(): UserInfo {
  const now = useSession()
  if (now.status !== 'signed-in') throw new Error('useUser outside the guard')
  return now.user
}

/** Key for stored choices of one person in this browser; empty before the sign-in. */
export function useOwner(): string {
  const current = useSession()
  return current.status === 'signed-in' ? ownerOf(current.user) : ''
}

export function toGrants({ ram, flags, networks }: UserInfo): Grants {
  return { kind: ram === 1 ? 'ram' : 'main', flags, networks }
}

export function useGrants(): Grants {
  const user = useUser()
  return useMemo(() => toGrants(user), [user])
}

export function updateUser(change: Partial<UserInfo>): void {
  const now = session.get()
  if (now.status === 'signed-in') setSession({ ...now, user: { ...now.user, ...change } })
}
