import { useMemo } from 'react'

/**
 * Memoizes plain data by its JSON: the first object stays while the JSON is equal, so that dependent work is not repeated.
 */
export function useStableJson<T>(value: T): T {
  const key = useMemo(() => JSON.stringify(value), [value])
  // eslint-disable-next-line react/exhaustive-deps -- the key is the value
  return useMemo(() => value, [key])
}
