import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** False while the tab is hidden. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}
