import { useSearchParams } from 'react-router'

/** The time in the address that a page is opened at, as by an alert; null for now. */
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
