import { createStore, type Store } from '#lib/store.ts'
import { readStored, writeStored } from './browser-storage.ts'

/** A user setting in localStorage. If storage is blocked, it lasts as long as the page. */
export function createPersistedSetting<V extends string>(key: string, values: readonly V[], fallback: V): Store<V> {
  const stored = readStored('localStorage', key)
  const setting = createStore(values.find((known) => known === stored) ?? fallback)
  return {
    ...setting,
    set(next) {
      writeStored('localStorage', key, next)
      setting.set(next)
    },
  }
}
