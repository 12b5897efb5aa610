import { useEffect } from 'react'
import { createStore, useStore } from '#lib/store.ts'

/* Name of the shown object in the title of the browser tab. */

const shown = createStore<string | null>(null)

/** Puts the name of the object into the tab title while the caller is mounted; undefined while it loads. */
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
