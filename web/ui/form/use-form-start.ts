import { isSameJson } from '#contract/kernel/compare.ts'
import { useState } from 'react'

/**
 * Start values of a form. A refresh with equal values replaces them, since another setting may have moved the revision;
 * one with other values waits for `reload`, called when somebody else's save has refused this one.
 *
 * @param read returns undefined if it failed.
 */
export function useFormStart<T, V>(current: T, read: () => Promise<T | undefined>, toValues: (start: T) => V) {
  const [start, setStart] = useState(current)
  const [seen, setSeen] = useState(current)
  if (current !== seen) {
    setSeen(current)
    if (isSameJson(toValues(current), toValues(start))) setStart(current)
  }
  const reload = async (): Promise<V | null> => {
    const latest = await read()
    if (latest === undefined || latest === start) return null
    setStart(latest)
    return toValues(latest)
  }
  return { start, values: toValues(start), reload }
}
