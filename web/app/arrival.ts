import { afterSignIn } from '../lib/after-sign-in.ts'
import { endSession, knownSession } from '../lib/session.ts'
import { isLogin, judge } from './guard.ts'
import { accessOf, isDoor } from './paths.ts'

/**
 * The page is one of two: the door (sign in, register, recover) or the console. They are apart because the router the
 * console needs would add a fifth to what a visitor loads before signing in.
 */
export type Area = 'arriving' | 'door' | 'console'

let area: Area = 'arriving'
const listeners = new Set<() => void>()

function become(next: Area): void {
  area = next
  for (const listener of listeners) listener()
}

export const areaStore = {
  get: (): Area => area,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Settles who is here and where they may be, then opens that area. The address is put right before anything is drawn. */
export async function arrive(): Promise<void> {
  become('arriving')
  const session = await knownSession()
  const { pathname, search } = location
  const isSignedIn = session.status === 'signed-in'
  const isUnanswered = session.status === 'unknown' // the console says so and offers to try again
  const verdict = isUnanswered ? null : judge({ pathname, search, access: accessOf(pathname), isSignedIn })
  if (verdict?.kind === 'sign-out') await endSession()
  if (verdict !== null && verdict.kind !== 'enter') {
    history.replaceState(null, '', verdict.to)
    return arrive()
  }
  if (isLogin(pathname) && (await exchangeTokenLink(search))) return arrive()
  become(isDoor(pathname) ? 'door' : 'console')
}

/** True when the address was changed, to home after a sign-in. */
async function exchangeTokenLink(search: string): Promise<boolean> {
  const token = new URLSearchParams(search).get('token')
  if (token === null) return false
  const { signInByLink } = await import('../features/login/sign-in-by-link.ts')
  const isIn = await signInByLink(token)
  if (isIn) history.replaceState(null, '', afterSignIn(search))
  return isIn
}
