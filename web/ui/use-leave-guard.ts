import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useSession } from '../lib/session.ts'
import { confirmDiscard } from './confirm-discard.ts'

/**
 * Blocks navigation (link, back button, closed tab) until leaving unsaved input is confirmed. A session that has ended
 * leaves unasked: nothing could be saved any more.
 */
export function useLeaveGuard(isUnsaved: boolean): void {
  const active = useSession().status !== 'anonymous' && isUnsaved
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && currentLocation.pathname !== nextLocation.pathname,
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
