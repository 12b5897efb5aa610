import { useSyncExternalStore } from 'react'

/** Below it there is one column (the style sheets say the same). */
export const PHONE = '(max-width: 600px)'

/** Whether a media query holds, for what style sheets alone cannot do. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
