import { navigation } from '#lib/navigation.ts'
import { readStored, writeStored } from '#lib/session/browser-storage.ts'
import { isPrefetching } from './prefetch.ts'

const RELOADED_BY = 'netloom.reloaded-by'

let isLeaving = false

interface Pages {
  /** Address of the page that is wanted: the target of a navigation, else the present one. */
  address(): string
  /** A navigation waits for its chunk. */
  isNavigating(): boolean
}

/** A reload is under way; errors need not be shown. */
export const isReloading = (): boolean => isLeaving

/**
 * Reloads on `vite:preloadError`: chunks of an older release are gone. `entry`, the hashed address of the entry script,
 * is kept in sessionStorage, so each release reloads once at most and a broken one makes no loop. A chunk that is
 * only fetched ahead reloads nothing.
 */
export function reloadOnMissingChunk(entry: string, pages: Pages, target: EventTarget = globalThis): void {
  target.addEventListener('vite:preloadError', () => {
    const isWanted = !isPrefetching() || pages.isNavigating()
    if (isLeaving || !isWanted || !navigator.onLine || !rememberReload(entry)) return
    isLeaving = true
    navigation.assign(pages.address())
  })
}

/** False where this entry has reloaded before, and where storage is blocked, because nothing could stop a loop. */
function rememberReload(entry: string): boolean {
  if (readStored('sessionStorage', RELOADED_BY) === entry) return false
  return writeStored('sessionStorage', RELOADED_BY, entry)
}
