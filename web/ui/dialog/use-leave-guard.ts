import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { useLatest } from '#lib/use-latest.ts'
import { useSession } from '#lib/session/session.ts'
import { confirmDiscard } from './confirm.tsx'

/* Hook that blocks navigation (link, back button, closed tab) until the loss of unsaved input is confirmed. */

type Guard = (from: Location, to: Location) => boolean

/** Guards of the page and its dialogs: the router asks only the newest blocker, which asks all of them. */
const guards = new Set<Guard>()

/**
 * An ended session leaves without a question, because nothing could be saved. With `query`, a change of the query also
 * counts as leaving.
 */
export function useLeaveGuard(isUnsaved: boolean, { query = false }: { readonly query?: boolean } = {}): void {
  const active = useSession().status !== 'anonymous' && isUnsaved
  const latest = useLatest({ active, query })
  useEffect(() => {
    const guard: Guard = (from, to) =>
      latest.current.active && (from.pathname !== to.pathname || (latest.current.query && from.search !== to.search))
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [latest])
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    [...guards].some((guard) => guard(currentLocation, nextLocation)),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirmDiscard().then((leave) => (leave ? blocker.proceed() : blocker.reset()))
  }, [blocker])

  useEffect(() => {
    if (!active) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [active])
}
