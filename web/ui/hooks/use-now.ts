import { useSyncExternalStore } from 'react'

/* Hooks of the present time for relative texts: one timer for each pace. */

function createClock(tickMs: number) {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let now = Date.now()
  const tick = () => {
    now = Date.now()
    for (const listener of listeners) listener()
  }
  return {
    get: () => now,
    subscribe(listener: () => void) {
      if (listeners.size === 0) {
        now = Date.now()
        timer = setInterval(tick, tickMs)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearInterval(timer)
      }
    },
  }
}

const SLOW = createClock(30_000)
const BY_SECOND = createClock(1_000)
const SHOWS_SECONDS_MS = 3_600_000 // a longer time is shown without seconds

/** Milliseconds since the epoch, updated every 30 s by one timer for all relative times on the page. */
export function useNow(): number {
  return useSyncExternalStore(SLOW.subscribe, SLOW.get)
}

/** Like `useNow`, for a time since `atMs`: updated every second while its text has seconds. */
export function useNowSince(atMs: number): number {
  const clock = useNow() - atMs < SHOWS_SECONDS_MS ? BY_SECOND : SLOW
  return useSyncExternalStore(clock.subscribe, clock.get)
}
