import { useEffect, useRef, useState } from 'react'
import { useAccountLive } from '../../lib/account-live.tsx'
import type { LiveState } from '../../lib/live.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { addStates, NOTHING_PUSHED, type PushedStates } from './member-states.ts'

const SETTLE_MS = 5_000

interface Readers {
  /** States have moved: counts may differ. At most once in five seconds. */
  readonly onMoved: () => void
  /** Changes were missed: everything is to be read again. */
  readonly onMissed: () => void
}

/** States of the account's members as they change, and how the channel that brings them is. */
export function useMemberStates(readers: Readers): { readonly pushed: PushedStates; readonly channel: LiveState } {
  const [pushed, setPushed] = useState(NOTHING_PUSHED)
  const latest = useLatest(readers)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const startOver = () => {
    setPushed(NOTHING_PUSHED)
    latest.current.onMissed()
  }
  const channel = useAccountLive((frame) => {
    if (frame.type !== 'routers') return
    setPushed((now) => addStates(now, frame.data))
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current.onMoved()
    }, SETTLE_MS)
  }, startOver)

  const fall = useLatest(startOver)
  useEffect(() => {
    if (channel === 'down') fall.current()
  }, [channel, fall])
  return { pushed, channel }
}
