import { useEffect, useSyncExternalStore } from 'react'

let shown: string | null = null
const listeners = new Set<() => void>()

function setShown(next: string | null): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Names the object of the page in the title of its tab, as long as the caller is mounted; undefined while it loads. */
export function useObjectTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    setShown(name)
    return () => setShown(null)
  }, [name])
}

/** For the root layout, which writes the title. */
export function useShownObject(): string | null {
  return useSyncExternalStore(subscribe, () => shown)
}
