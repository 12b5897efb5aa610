import { isSameJson } from '#contract/kernel/same-json.ts'
import { useState } from 'react'

/**
 * What a form begins with. A refresh behind it takes over where it has the same values, for a revision may have moved with
 * another setting; one with others changes nothing until `reload`, which is called when the save was refused because somebody
 * else has saved.
 *
 * @param read undefined where it could not be read.
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
