import { useSyncExternalStore } from 'react'

/** Below it there is one column (the style sheets say the same). */
export const PHONE = '(max-width: 600px)'

/** Result of a media query, kept current; for behaviour that style sheets alone cannot provide. */
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
