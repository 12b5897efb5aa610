import { useEffect, useState } from 'react'

/** Delays a loading state: true once `active` has lasted `delayMs`, so that fast replies do not flicker. */
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
