import { useEffect, useRef } from 'react'
import { useAccountLive } from '../../lib/account-live.tsx'
import { useLatest } from '../../lib/use-latest.ts'

const READ_EVERY_MS = 2_000 // throttle: a centre that drops changes many links

/** Reads again when the health of one of these networks changed, as it does with each of their links. */
export function useLinksRefresh(networkNumbers: readonly string[], read: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useLatest(read)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  useAccountLive((frame) => {
    if (frame.type !== 'networks') return
    if (!frame.data.some(({ network_number }) => networkNumbers.includes(network_number))) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, READ_EVERY_MS)
  }, read)
}
