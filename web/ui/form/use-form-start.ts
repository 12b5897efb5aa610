import { isSameJson } from '#contract/kernel/compare.ts'
import { useState } from 'react'

/**
 * Hook of the start values of a form. A refresh with equal values replaces them, because another setting may have changed
 * the revision. Other values wait for `reload`, which is called when a save of somebody else has refused this one.
 * `read` returns undefined if it failed.
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
