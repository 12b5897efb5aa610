import { useEffect } from 'react'
import { createStore, useStore } from '#lib/store.ts'

const shown = createStore<string | null>(null)

/** Names the object of the page in the title of its tab, as long as the caller is mounted; undefined while it loads. */
export function useObjectTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    shown.set(name)
    return () => shown.set(null)
  }, [name])
}

/** For the root layout, which writes the title. */
export function useShownObject(): string | null {
  return useStore(shown)
}
