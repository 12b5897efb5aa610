import { useSearchParams } from 'react-router'

/** Hook: time in the address of a page, such as set by the link of an alert; null means now. */
export function useAddressTime(): readonly [number | null, () => void] {
  const [params, setParams] = useSearchParams()
  const at = Number(params.get('at') ?? Number.NaN)
  const clear = () => {
    const next = new URLSearchParams(params)
    next.delete('at')
    setParams(next, { replace: true })
  }
  return [Number.isSafeInteger(at) && at > 0 ? at : null, clear]
}
