import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { useLatest } from '#lib/use-latest.ts'
import { type LiveState, useLive } from './use-live.ts'
import { updateUser } from '#lib/session/session.ts'

/* The account's one live socket, held around the console: unread count, and presence for pages that list members. */

interface Listener {
  readonly onFrame: (frame: ViewerFrame) => void
  readonly onMissed: () => void
  /** The channel has opened for the first time; no frame has the changes since the page was read. */
  readonly onOpened: () => void
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
  const state = useLive(
    TARGET,
    (frame) => {
      if (frame.type === 'account') {
        updateUser({ message_count: frame.data.unread })
        if (!hasOpened.current) for (const { onOpened } of listeners.current) onOpened()
        hasOpened.current = true
      }
      for (const { onFrame } of listeners.current) onFrame(frame)
    },
    () => {
      for (const { onMissed } of listeners.current) onMissed()
    },
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

const ignore = (): void => {}

/**
 * Subscribes to the account's frames (`routers`, `account`); returns the state of the channel. `onMissed` as in useLive,
 * `onOpened` for pages whose data changes with frames.
 */
export function useAccountLive(
  onFrame: Listener['onFrame'],
  onMissed: Listener['onMissed'] = ignore,
  onOpened: Listener['onOpened'] = ignore,
): LiveState {
  const { state, listen } = useContext(Channel)
  const latest = useLatest({ onFrame, onMissed, onOpened })
  useEffect(
    () =>
      listen({
        onFrame: (frame) => latest.current.onFrame(frame),
        onMissed: () => latest.current.onMissed(),
        onOpened: () => latest.current.onOpened(),
      }),
    [listen, latest],
  )
  return state
}
