import { useEffect } from 'react'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { useAccountLive } from './account-live.tsx'
import type { LiveState } from './use-live.ts'
import { useLatest } from '#lib/use-latest.ts'
import { useThrottle } from '#lib/use-throttle.ts'

/* Hook that reads a page again when presence of members or health of networks changes; returns the state of the channel. */

type PresenceChanges = Extract<ViewerFrame, { type: 'routers' }>['data']

interface PresenceRefresh {
  /** Throttle: a failed site takes many members with it, and one read serves them all. */
  readonly everyMs: number
  /** Reads the data again that depends on presence: counts, rows. */
  readonly read: () => unknown
  readonly onStates?: (changes: PresenceChanges) => void
  /** Called after missed frames or a lost channel; by default `read`. */
  readonly onMissed?: () => unknown
}

export function usePresenceRefresh(options: PresenceRefresh): LiveState {
  const latest = useLatest(options)
  const readSoon = useThrottle(() => latest.current.read(), options.everyMs)

  const onMissed = useLatest(() => {
    const { read, onMissed: handle = read } = latest.current
    handle()
  })
  const channel = useAccountLive(
    (frame) => {
      if ((frame.type !== 'routers' && frame.type !== 'networks') || frame.data.length === 0) return
      if (frame.type === 'routers') latest.current.onStates?.(frame.data)
      readSoon()
    },
    () => onMissed.current(),
  )
  useEffect(() => {
    if (channel === 'down') onMissed.current()
  }, [channel, onMissed])
  return channel
}
