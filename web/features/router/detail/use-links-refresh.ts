import { useAccountLive } from '#lib/live/account-live.tsx'
import { useThrottle } from '#lib/use-throttle.ts'

const READ_EVERY_MS = 2_000 // a centre that drops changes many links

/** Reads again when the health of one of these networks changed, as it does with each of their links. */
export function useLinksRefresh(networkNumbers: readonly string[], read: () => void): void {
  const readSoon = useThrottle(read, READ_EVERY_MS)
  useAccountLive((frame) => {
    if (frame.type === 'account') return readSoon() // the channel begins with it: what changed before it is in no frame
    if (frame.type !== 'networks') return
    if (frame.data.some(({ network_number }) => networkNumbers.includes(network_number))) readSoon()
  }, read)
}
