import { useEffect, useRef, useState } from 'react'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { useLatest } from '#lib/use-latest.ts'
import type { LiveConnection } from './live-connection.ts'
import type { LiveState, LiveTarget } from './live-stream.ts'
import { toast } from '#lib/toast/toast.ts'

/* Hook of the live frames of a router, a network or the account, while the component is mounted. */

export type { LiveState } from './live-stream.ts'

export const CHANNEL_DOWN = '实时通道已断开'
const UNSUPPORTED = 'Your browser does not support it socket' // account 8, to the letter

const NONE: readonly string[] = []

/**
 * `null` as target waits. Of a network, `visible` names the members on the page that is shown, and `rates` the links and
 * trunks whose throughput is. Returns the state of the channel: pages grey their states when it is `down`. `onMissed` asks
 * to read again the data that no frame repeats.
 */
export function useLive(
  target: LiveTarget | null,
  onFrame: (frame: ViewerFrame) => void,
  onMissed: () => void = () => {},
  visible: readonly string[] = NONE,
  rates: readonly string[] = NONE,
): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const latest = useLatest({ onFrame, onMissed, visible, rates })
  const open = useRef<Pick<LiveConnection, 'show' | 'watch'> | null>(null)
  const key = target === null ? null : JSON.stringify(target)
  const isSupported = 'WebSocket' in globalThis

  useEffect(() => {
    if (!isSupported) toast.error(UNSUPPORTED)
    if (key === null || !isSupported) return
    let stop: (() => void) | null = () => {}
    // A chunk of its own, loaded by the first page with live data.
    const chunk = import('./live-connection.ts')
    chunk.catch(() => setState('down'))
    void chunk.then(({ LiveConnection }) => {
      if (stop === null) return
      const connection = new LiveConnection(JSON.parse(key) as LiveTarget, {
        onFrame: (frame) => latest.current.onFrame(frame),
        onMissed: () => latest.current.onMissed(),
        onState: setState,
      })
      connection.show(latest.current.visible)
      connection.watch(latest.current.rates)
      open.current = connection
      stop = () => {
        open.current = null
        connection.stop()
      }
    })
    return () => {
      stop?.()
      stop = null
      setState('connecting')
    }
  }, [key, isSupported, latest])

  useEffect(() => open.current?.show(visible), [visible])
  useEffect(() => open.current?.watch(rates), [rates])
  return isSupported ? state : 'down'
}
