import { useCallback, useEffect, useRef } from 'react'
import { useLatest } from './use-latest.ts'

/** Throttle: runs once at the end of each interval with calls. An unmount cancels it. */
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
