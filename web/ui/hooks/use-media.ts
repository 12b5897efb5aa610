import { useSyncExternalStore } from 'react'

/* Hook of a media query, for behaviour that style sheets alone cannot provide. */

/** Widths of a phone, with one column (the same in the style sheets). */
export const PHONE = '(max-width: 600px)'

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
