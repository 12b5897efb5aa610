/* Access to localStorage and sessionStorage that never throws. */

type Kind = 'localStorage' | 'sessionStorage'

/** Stored text; null if there is none or storage is blocked. */
export function readStored(kind: Kind, key: string): string | null {
  try {
    return globalThis[kind].getItem(key)
  } catch {
    return null
  }
}

/** Stores a text; null removes it. False if storage is blocked or full. */
export function writeStored(kind: Kind, key: string, text: string | null): boolean {
  try {
    if (text === null) globalThis[kind].removeItem(key)
    else globalThis[kind].setItem(key, text)
    return true
  } catch {
    return false
  }
}
