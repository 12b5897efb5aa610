import { useSyncExternalStore } from 'react'

/* Hook: false while the tab is hidden. */

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

export function usePageVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}
