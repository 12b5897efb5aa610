import { useState } from 'react'

/**
 * What a form begins with. A refresh behind it changes nothing until `reload`, which is called when the save was refused
 * because somebody else has saved.
 *
 * @param read undefined where it could not be read.
 */
export function useFormStart<T, V>(current: T, read: () => Promise<T | undefined>, toValues: (start: T) => V) {
  const [start, setStart] = useState(current)
  const reload = async (): Promise<V | null> => {
    const latest = await read()
    if (latest === undefined || latest === start) return null
    setStart(latest)
    return toValues(latest)
  }
  return { start, values: toValues(start), reload }
}
