import type { DocumentLink, DocumentNetwork } from '#contract/device/document.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import type { NetworkRows } from '#domain/network/compile/rows.ts'
import { parseRange, toNetwork } from '#domain/network/addresses/segments.ts'

/** A router as its document makes it speak to others. */
interface Speaker {
  readonly name: string
  readonly network: DocumentNetwork
  readonly lans: readonly string[]
  readonly software: readonly string[]
  /** By prefix and neighbor: routers of the way, the next one first. */
  readonly learned: Map<string, Map<string, readonly string[]>>
}

type Speakers = ReadonlyMap<string, Speaker>
const DEFAULT = '0.0.0.0/0'

/** Final routes of one router. */
export interface LearnedRoutes {
  /** `prefix via` of all that it takes. */
  readonly taken: readonly string[]
  /** Of these the ways that carry traffic. */
  readonly chosen: readonly string[]
}

/**
 * Routes that follow from the documents of a network's routers, exchanged as the files driver has them do, by turns in the order
 * of their names or, `isReversed`, against it. Null: they never settle.
 */
export function exchangeRoutes(network: NetworkRows, isReversed = false): ReadonlyMap<string, LearnedRoutes> | null {
  const names = [...network.members.filter((m) => m.routerType === 1), ...(network.popNodes ?? [])].map(
    ({ routerName }) => routerName,
  )
  const turns = isReversed ? names.toSorted().toReversed() : names.toSorted()
  const speakers = new Map(turns.map((name) => [name, toSpeaker(name, network)]))
  const rounds = Array.from({ length: 50 }, () => [...speakers.values()].map((self) => listen(self, speakers)))
  if (rounds.at(-1)?.includes(true)) return null
  return new Map([...speakers.values()].map((self) => [self.name, toLearned(self, speakers)]))
}

function toSpeaker(name: string, rows: NetworkRows): Speaker {
  const document = compileRouter(name, [rows], () => 'ab'.repeat(16))
  const network = document.networks[0]!
  return {
    name,
    network,
    lans: network.isolated ? [] : document.lans.map(({ segment }) => segment),
    software: network.servers.filter((s) => s.service === 'software').map(({ ip, mask }) => toNetwork(`${ip}/${mask}`)),
    learned: new Map(),
  }
}

const isPoint = ({ network }: Speaker): boolean => network.member_type === 'point'
const isFiltered = (speaker: Speaker, { kind }: DocumentLink): boolean => !isPoint(speaker) || kind === 'point'

/** Takes what the neighbors announce now; whether that is something else than before. */
function listen(self: Speaker, speakers: Speakers): boolean {
  const before = JSON.stringify([...self.learned].map(([prefix, ways]) => [prefix, [...ways]]))
  self.learned.clear()
  for (const link of self.network.links) {
    const peer = speakers.get(link.peer)!
    const other = peer.network.links.find(({ id }) => id === link.id)!
    for (const [prefix, way] of announced(peer, other, speakers)) {
      if (way.includes(self.name) || !isTaken(self, link, peer, prefix)) continue
      const ways = self.learned.get(prefix) ?? new Map<string, readonly string[]>()
      self.learned.set(prefix, ways.set(peer.name, way))
    }
  }
  return before !== JSON.stringify([...self.learned].map(([prefix, ways]) => [prefix, [...ways]]))
}

function announced(
  self: Speaker,
  link: DocumentLink,
  speakers: Speakers,
): (readonly [prefix: string, way: readonly string[]])[] {
  const own = [
    ...(self.network.routing.default.mode === 'advertise' ? [DEFAULT] : []),
    ...self.software,
    ...self.lans.filter((lan) => !isFiltered(self, link) || isPermitted(self, lan)),
  ]
  const others = isPoint(self) ? [] : [...self.learned.keys()].filter((prefix) => !isOwn(self, prefix))
  return [
    ...own.map((prefix) => [prefix, [self.name]] as const),
    ...others.map(
      (prefix) => [prefix, [self.name, ...self.learned.get(prefix)!.get(ranked(self, prefix, speakers)[0]!)!]] as const,
    ),
  ]
}

/** A router's own prefix wins over a learned one. */
const isOwn = ({ network, lans, software }: Speaker, prefix: string): boolean =>
  lans.includes(prefix) ||
  software.includes(prefix) ||
  (prefix === DEFAULT && network.routing.default.mode === 'advertise')

function isTaken(self: Speaker, link: DocumentLink, peer: Speaker, prefix: string): boolean {
  if (prefix === DEFAULT) return !isPoint(self) || self.network.routing.default.mode === 'receive'
  if (!isFiltered(self, link)) return true
  if (!isPoint(peer) && self.network.routing.system.includes(prefix)) return true
  return (link.peer_prefixes === null || link.peer_prefixes.includes(prefix)) && isPermitted(self, prefix)
}

function isPermitted({ network }: Speaker, prefix: string): boolean {
  const { rows } = network.routing
  const length = Number(prefix.split('/')[1])
  const found = rows.find((row) => {
    const [outer, inner] = [parseRange(row.prefix)!, parseRange(prefix)!]
    const first = row.ge ?? Number(row.prefix.split('/')[1])
    const last = row.le ?? Number(row.prefix.split('/')[1])
    return outer.first <= inner.first && inner.last <= outer.last && first <= length && length <= last
  })
  return rows.length === 0 || found?.permit === true
}

/** As the route-maps set it: of a default route by the metric of its origin, of others by the link. */
function preferenceOf({ network, learned }: Speaker, prefix: string, peer: string, speakers: Speakers): number {
  if (prefix !== DEFAULT) return 100 + network.links.find((link) => link.peer === peer)!.preference
  const origin = learned.get(prefix)!.get(peer)!.at(-1)!
  return 300 - speakers.get(origin)!.network.routing.default.metric!
}

/** Neighbors that announce a prefix: the higher local preference first, then the shorter way. */
function ranked(self: Speaker, prefix: string, speakers: Speakers): readonly string[] {
  const ways = self.learned.get(prefix)!
  const [length, preference] = [
    (peer: string) => ways.get(peer)!.length,
    (peer: string) => preferenceOf(self, prefix, peer, speakers),
  ]
  return [...ways.keys()].toSorted((a, b) => preference(b) - preference(a) || length(a) - length(b) || (a < b ? -1 : 1))
}

function toLearned(self: Speaker, speakers: Speakers): LearnedRoutes {
  const learned = [...self.learned].filter(([prefix]) => !isOwn(self, prefix))
  const taken = learned.flatMap(([prefix, ways]) => [...ways.keys()].map((peer) => `${prefix} ${peer}`))
  const chosen = learned.flatMap(([prefix, ways]) => {
    const [best = '', ...others] = ranked(self, prefix, speakers)
    const isEqual = (peer: string) =>
      preferenceOf(self, prefix, peer, speakers) === preferenceOf(self, prefix, best, speakers) &&
      ways.get(peer)!.length === ways.get(best)!.length
    return [best, ...others.filter(isEqual)].slice(0, self.network.routing.paths).map((peer) => `${prefix} ${peer}`)
  })
  return { taken: taken.toSorted(), chosen: chosen.toSorted() }
}
