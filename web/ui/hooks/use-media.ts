import { useSyncExternalStore } from 'react'

/* Hooks of a media query, for behaviour that style sheets alone cannot provide, and of a hidden tab. */

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

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** False while the tab is hidden. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => !document.hidden)
}
