import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { useLatest } from '#lib/use-latest.ts'
import { type LiveState, useLive } from './use-live.ts'
import { updateUser } from '#lib/session/session.ts'

/* The account's one live socket, held around the console: unread count, and presence for pages that list members. */

interface Listener {
  readonly onFrame: (frame: ViewerFrame) => void
  readonly onMissed: () => void
}

interface AccountChannel {
  readonly state: LiveState
  readonly listen: (listener: Listener) => () => void
}

const Channel = createContext<AccountChannel>({ state: 'connecting', listen: () => () => {} })
const TARGET = { kind: 'account' } as const

export function AccountLive({ children }: { readonly children: ReactNode }) {
  const listeners = useRef(new Set<Listener>())
  const hasOpened = useRef(false)
  const onMissed = () => {
    for (const listener of listeners.current) listener.onMissed()
  }
  const state = useLive(
    TARGET,
    (frame) => {
      if (frame.type === 'account') {
        updateUser({ message_count: frame.data.unread })
        if (!hasOpened.current) onMissed() // no frame has the changes between a page's read and the channel's opening
        hasOpened.current = true
      }
      for (const { onFrame } of listeners.current) onFrame(frame)
    },
    onMissed,
  )
  const channel = useMemo<AccountChannel>(
    () => ({
      state,
      listen(listener) {
        listeners.current.add(listener)
        return () => listeners.current.delete(listener)
      },
    }),
    [state],
  )
  return <Channel.Provider value={channel}>{children}</Channel.Provider>
}

/** Subscribes to the account's frames (`routers`, `account`); returns the state of the channel. `onMissed` as in useLive. */
export function useAccountLive(onFrame: Listener['onFrame'], onMissed: Listener['onMissed'] = () => {}): LiveState {
  const { state, listen } = useContext(Channel)
  const latest = useLatest({ onFrame, onMissed })
  useEffect(
    () =>
      listen({
        onFrame: (frame) => latest.current.onFrame(frame),
        onMissed: () => latest.current.onMissed(),
      }),
    [listen, latest],
  )
  return state
}
