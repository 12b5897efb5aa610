import { readStored, writeStored } from './browser-storage.ts'

/** A user setting in localStorage. Where storage is blocked it lasts as long as the page. */
export interface PersistedSetting<V extends string> {
  readonly get: () => V
  readonly set: (value: V) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createPersistedSetting<V extends string>(
  key: string,
  values: readonly V[],
  fallback: V,
): PersistedSetting<V> {
  const listeners = new Set<() => void>()
  let value = read()

  function read(): V {
    const stored = readStored('localStorage', key)
    return values.find((known) => known === stored) ?? fallback
  }

  return {
    get: () => value,
    set(next) {
      value = next
      writeStored('localStorage', key, next)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
