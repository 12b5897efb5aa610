import { useSearchParams } from 'react-router'
import { MOBILE_BREAKPOINT_PX } from '../../../worker/contract/limits.ts'
import type { Member } from './projection.ts'

export type NetworkView = 'graph' | 'table'

/** Above this many points the table is the default. */
const GRAPH_POINTS_MAX = 200

/** View from the address, else by window width. A filter applies to rows, so it selects the table. */
export function usePresetView(): NetworkView {
  const [query] = useSearchParams()
  if (query.has('state') || query.has('search')) return 'table'
  const wanted = query.get('view')
  if (wanted === 'graph' || wanted === 'table') return wanted
  return matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX - 1}px)`).matches ? 'table' : 'graph'
}

/** Graph or tables, kept in the address; many points start as tables. */
export function useNetworkView(members: readonly Member[]): readonly [NetworkView, (view: NetworkView) => void] {
  const [query, setQuery] = useSearchParams()
  const preset = usePresetView()
  const points = members.filter(({ member_type }) => member_type === 'point').length
  const isTooMany = points > GRAPH_POINTS_MAX && query.get('view') !== 'graph'
  const setView = (next: NetworkView) => {
    const to = new URLSearchParams(query)
    for (const name of ['state', 'search', 'page']) to.delete(name)
    to.set('view', next)
    setQuery(to, { replace: true })
  }
  return [isTooMany ? 'table' : preset, setView]
}
