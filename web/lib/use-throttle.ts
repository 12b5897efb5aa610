import { useCallback, useEffect, useRef } from 'react'
import { useLatest } from './use-latest.ts'

/** Runs once at the end of each interval in which it was called: many causes, one run. None is left when the page goes. */
export function useThrottle(run: () => unknown, everyMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useLatest({ run, everyMs })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current.run()
    }, latest.current.everyMs)
  }, [latest])
}
