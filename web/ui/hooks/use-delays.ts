import { useEffect, useRef, useState } from 'react'

/* Hooks that delay: a loading state, a value that changes often, or a call. */

/** True once `active` has lasted `delayMs`, so that fast replies do not flicker. */
export function useDelayed(active: boolean, delayMs: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, delayMs])
  return active && late
}

/** Debounced value: changes once it has stayed the same for a while, so that a search does not run at each letter. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}

/** Delays a call; the next one replaces it, and none is made after the component has unmounted. */
export function useTimer() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (run: () => void, delayMs: number): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(run, delayMs)
  }
}
