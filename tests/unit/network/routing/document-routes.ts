import { compileRouter } from '#domain/network/compile/compile.ts'
import type { NetworkRows } from '#domain/network/compile/rows.ts'
import {
  type Speaker,
  type Speakers,
  chosenPeers,
  exchange,
  isOwn,
  toSpeaker,
} from '#infra/simulator/virtual-routes.ts'

/** Final routes of one router. */
export interface LearnedRoutes {
  /** `prefix via` of all that it takes. */
  readonly taken: readonly string[]
  /** Of these the ways that carry traffic. */
  readonly chosen: readonly string[]
}

/**
 * Routes that follow from the documents of a network's routers, exchanged by turns in the order of their names or,
 * `isReversed`, against it. Null: they never settle.
 */
export function exchangeRoutes(network: NetworkRows, isReversed = false): ReadonlyMap<string, LearnedRoutes> | null {
  const names = [...network.members.filter((m) => m.routerType === 1), ...(network.popNodes ?? [])].map(
    ({ routerName }) => routerName,
  )
  const turns = isReversed ? names.toSorted().toReversed() : names.toSorted()
  const speakers = new Map(turns.map((name) => [name, speakerOf(name, network)]))
  if (!exchange(speakers)) return null
  return new Map([...speakers.values()].map((self) => [self.name, toLearned(self, speakers)]))
}

function speakerOf(name: string, rows: NetworkRows): Speaker {
  const document = compileRouter(name, [rows], () => 'ab'.repeat(16))
  return toSpeaker(name, document, document.networks[0]!)
}

function toLearned(self: Speaker, speakers: Speakers): LearnedRoutes {
  const prefixes = [...self.learned.keys()].filter((prefix) => !isOwn(self, prefix))
  const taken = prefixes.flatMap((prefix) => [...self.learned.get(prefix)!.keys()].map((peer) => `${prefix} ${peer}`))
  const chosen = prefixes.flatMap((prefix) => chosenPeers(self, prefix, speakers).map((peer) => `${prefix} ${peer}`))
  return { taken: taken.toSorted(), chosen: chosen.toSorted() }
}
