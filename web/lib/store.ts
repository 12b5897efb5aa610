import { useSyncExternalStore } from 'react'

/* Values outside of React state, with a hook that reads them. */

export interface Store<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<T>(start: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = start
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <T>({ subscribe, get }: Pick<Store<T>, 'subscribe' | 'get'>): T =>
  useSyncExternalStore(subscribe, get)
