import { topologyChunk } from '../topology/load-topology.ts'
import { presetView } from './use-network-view.ts'

/** Fetches the chunks of the drawing together with the page's own, where the drawing is what the page will show. */
export async function preloadDetail(query: URLSearchParams): Promise<void> {
  if (presetView(query) === 'graph') await topologyChunk.load()
}
