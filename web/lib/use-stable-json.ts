import { useMemo } from 'react'

/** Memoizes plain data by its JSON: while that is equal the first object stays, so that what depends on it is not done again. */
export function useStableJson<T>(value: T): T {
  const key = useMemo(() => JSON.stringify(value), [value])
  // eslint-disable-next-line react/exhaustive-deps -- the key is the value
  return useMemo(() => value, [key])
}
