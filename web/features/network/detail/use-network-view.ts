import { useSearchParams } from 'react-router'
import { MOBILE_BREAKPOINT_PX } from '#contract/kernel/limits.ts'
import type { Member } from '../live-network.ts'
import { topologyChunk } from '../topology/load-topology.ts'

/* View of the network page (drawing, members, links or routes), kept in the address. */

const VIEWS = ['graph', 'table', 'links', 'routes'] as const
export type NetworkView = (typeof VIEWS)[number]

/** A network with more points starts as a table. */
const GRAPH_POINTS_MAX = 200

function presetView(query: URLSearchParams): NetworkView {
  const wanted = VIEWS.find((view) => view === query.get('view'))
  if (wanted !== undefined) return wanted
  return matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX - 1}px)`).matches ? 'table' : 'graph'
}

export function useNetworkView(members: readonly Member[]): readonly [NetworkView, (view: NetworkView) => void] {
  const [query, setQuery] = useSearchParams()
  const preset = presetView(query)
  const points = members.filter(({ member_type }) => member_type === 'point').length
  const isTooMany = points > GRAPH_POINTS_MAX && !query.has('view')
  const setView = (next: NetworkView) => {
    const to = new URLSearchParams(query)
    to.delete('page')
    to.set('view', next)
    setQuery(to, { replace: true })
  }
  return [isTooMany ? 'table' : preset, setView]
}

/** Loads the code of the drawing together with that of the page, if the page will start with the drawing. */
export async function preloadDetail(query: URLSearchParams): Promise<void> {
  if (presetView(query) === 'graph') await topologyChunk.load()
}
