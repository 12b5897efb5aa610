import { navigation } from '../lib/navigation.ts'

const RELOADED_BY = 'netloom.reloaded-by'

let isLeaving = false

/** A reload is under way: nothing more needs to be shown. */
export const isReloading = (): boolean => isLeaving

/**
 * After a release the chunks of the page before are gone, and Vite reports the first that is missed. The page then asked
 * for is loaded anew, once for each release: `entry`, the hashed address of the entry script, is remembered, so a
 * release that is itself broken makes no loop.
 */
export function reloadOnMissingChunk(
  entry: string,
  addressWanted: () => string,
  target: EventTarget = globalThis,
): void {
  target.addEventListener('vite:preloadError', () => {
    if (isLeaving || !navigator.onLine || !rememberReload(entry)) return
    isLeaving = true
    navigation.assign(addressWanted())
  })
}

/** False where this entry has reloaded before, and where storage is blocked, because nothing could stop a loop. */
function rememberReload(entry: string): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_BY) === entry) return false
    sessionStorage.setItem(RELOADED_BY, entry)
    return true
  } catch {
    return false
  }
}
