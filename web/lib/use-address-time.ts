import { useSearchParams } from 'react-router'
import { wholeNumber } from '#contract/kernel/input/typed-text.ts'

/** Hook: time in the address of a page, such as set by the link of an alert; null means now. */
export function useAddressTime(): readonly [number | null, () => void] {
  const [params, setParams] = useSearchParams()
  const at = wholeNumber(params.get('at') ?? '')
  const clear = () => {
    const next = new URLSearchParams(params)
    next.delete('at')
    setParams(next, { replace: true })
  }
  return [typeof at === 'number' && at > 0 ? at : null, clear]
}
