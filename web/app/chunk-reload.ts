import { navigation } from '#lib/navigation.ts'
import { readStored, writeStored } from '#lib/session/browser-storage.ts'
import { isPrefetching } from './prefetch.ts'

/* Reloads the document after a release has removed chunks that the document still refers to. */

const RELOADED_BY = 'netloom.reloaded-by'

let isLeaving = false

interface Pages {
  /** Address of the wanted page: the target of a navigation, else the present page. */
  address(): string
  isNavigating(): boolean
}

/** A reload is running; errors need not be shown. */
export const isReloading = (): boolean => isLeaving

/**
 * Reloads on `vite:preloadError`. sessionStorage keeps `entry`, the hashed address of the entry script: each release
 * reloads at most once, and a broken release makes no loop. A failed prefetch reloads nothing.
 */
export function reloadOnMissingChunk(entry: string, pages: Pages, target: EventTarget = globalThis): void {
  target.addEventListener('vite:preloadError', () => {
    const isWanted = !isPrefetching() || pages.isNavigating()
    if (isLeaving || !isWanted || !navigator.onLine || !rememberReload(entry)) return
    isLeaving = true
    navigation.assign(pages.address())
  })
}

/** False if this entry has reloaded before, or if storage is blocked: then nothing could stop a loop. */
function rememberReload(entry: string): boolean {
  if (readStored('sessionStorage', RELOADED_BY) === entry) return false
  return writeStored('sessionStorage', RELOADED_BY, entry)
}
