import { topologyChunk } from './topology/load-topology.ts'
import { presetView } from './use-network-view.ts'

/** Fetches the chunks of the drawing together with the page's own, where the drawing is what the page will show. */
export function preloadDetail(query: URLSearchParams): void {
  if (presetView(query) === 'graph') topologyChunk.load().catch(() => null) // who shows it reports the failure
}
