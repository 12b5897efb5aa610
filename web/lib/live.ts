import { useEffect, useState } from 'react'
import type { ViewerFrame } from '../../worker/contract/protocol.ts'
import { useLatest } from './use-latest.ts'
import type { LiveTarget } from './live-connection.ts'
import type { LiveState } from './live-stream.ts'
import { toast } from './toast.ts'

export type { LiveState } from './live-stream.ts'

/** Said where states are shown while the channel is not `live`. */
export const CHANNEL_DOWN = '实时通道已断开'
const UNSUPPORTED = 'Your browser does not support it socket' // account 8, to the letter

/**
 * Live frames of a router, a network or the account, for as long as the page shows them; null waits. The answer says how
 * the channel itself is: pages grey their states when it is `down`. `onMissed` asks to read again what no frame repeats.
 */
export function useLive(
  target: LiveTarget | null,
  onFrame: (frame: ViewerFrame) => void,
  onMissed: () => void = () => {},
): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const latest = useLatest({ onFrame, onMissed })
  const key = target === null ? null : JSON.stringify(target)
  const isSupported = 'WebSocket' in globalThis

  useEffect(() => {
    if (!isSupported) toast.error(UNSUPPORTED)
    if (key === null || !isSupported) return
    let stop: (() => void) | null = () => {}
    // The machinery comes with the first page that is live.
    const machinery = import('./live-connection.ts')
    machinery.catch(() => setState('down')) // its chunk did not come
    void machinery.then(({ LiveConnection }) => {
      if (stop === null) return
      const connection = new LiveConnection(JSON.parse(key) as LiveTarget, {
        onFrame: (frame) => latest.current.onFrame(frame),
        onMissed: () => latest.current.onMissed(),
        onState: setState,
      })
      stop = () => connection.stop()
    })
    return () => {
      stop?.()
      stop = null
      setState('connecting')
    }
  }, [key, isSupported, latest])
  return isSupported ? state : 'down'
}
