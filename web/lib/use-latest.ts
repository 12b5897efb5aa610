import { useEffect, useRef } from 'react'

/** Latest ref: the newest value for effects that must not run again when it changes. */
export function useLatest<V>(value: V): { readonly current: V } {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
