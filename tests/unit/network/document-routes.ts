import type { DocumentLink, DocumentNetwork } from '../../../worker/contract/router-document.ts'
import { compileRouter } from '../../../worker/domain/network/compile/compile.ts'
import type { NetworkRows } from '../../../worker/domain/network/compile/rows.ts'
import { parseRange, toNetwork } from '../../../worker/domain/network/segments.ts'

/** A router as its document makes it speak to others. */
interface Speaker {
  readonly name: string
  readonly network: DocumentNetwork
  readonly lans: readonly string[]
  readonly software: readonly string[]
  /** By prefix and neighbor: routers of the way, the next one first. */
  readonly learned: Map<string, Map<string, readonly string[]>>
}

/** What one router holds in the end. */
export interface LearnedRoutes {
  /** `prefix via` of all that it takes. */
  readonly taken: readonly string[]
  /** Of these the ways that carry traffic. */
  readonly chosen: readonly string[]
}

/** Routes that follow from the documents of a network's routers, exchanged as the files driver has them do. Null: they never settle. */
export function exchangeRoutes(network: NetworkRows): ReadonlyMap<string, LearnedRoutes> | null {
  const names = [...network.members.filter((m) => m.routerType === 1), ...(network.popNodes ?? [])].map(
    ({ routerName }) => routerName,
  )
  const speakers = new Map(names.toSorted().map((name) => [name, toSpeaker(name, network)]))
  const rounds = Array.from({ length: 50 }, () => [...speakers.values()].map((self) => listen(self, speakers)))
  if (rounds.at(-1)?.includes(true)) return null
  return new Map([...speakers.values()].map((self) => [self.name, toLearned(self)]))
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
function listen(self: Speaker, speakers: ReadonlyMap<string, Speaker>): boolean {
  const before = JSON.stringify([...self.learned].map(([prefix, ways]) => [prefix, [...ways]]))
  self.learned.clear()
  for (const link of self.network.links) {
    const peer = speakers.get(link.peer)!
    const other = peer.network.links.find(({ id }) => id === link.id)!
    for (const [prefix, way] of announced(peer, other)) {
      if (way.includes(self.name) || !isTaken(self, link, peer, prefix)) continue
      const ways = self.learned.get(prefix) ?? new Map<string, readonly string[]>()
      self.learned.set(prefix, ways.set(peer.name, way))
    }
  }
  return before !== JSON.stringify([...self.learned].map(([prefix, ways]) => [prefix, [...ways]]))
}

function announced(self: Speaker, link: DocumentLink): (readonly [prefix: string, way: readonly string[]])[] {
  const own = [...self.software, ...self.lans.filter((lan) => !isFiltered(self, link) || isPermitted(self, lan))]
  const others = isPoint(self)
    ? []
    : [...self.learned.keys()].filter((prefix) => !self.lans.includes(prefix) && !self.software.includes(prefix))
  return [
    ...own.map((prefix) => [prefix, [self.name]] as const),
    ...others.map(
      (prefix) => [prefix, [self.name, ...self.learned.get(prefix)!.get(ranked(self, prefix)[0]!)!]] as const,
    ),
  ]
}

function isTaken(self: Speaker, link: DocumentLink, peer: Speaker, prefix: string): boolean {
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

const preferenceOf = ({ network }: Speaker, peer: string): number =>
  network.links.find((link) => link.peer === peer)!.preference

/** Neighbors that announce a prefix: the preferred link first, then the shorter way. */
function ranked(self: Speaker, prefix: string): readonly string[] {
  const ways = self.learned.get(prefix)!
  const length = (peer: string) => ways.get(peer)!.length
  return [...ways.keys()].toSorted(
    (a, b) => preferenceOf(self, b) - preferenceOf(self, a) || length(a) - length(b) || (a < b ? -1 : 1),
  )
}

function toLearned(self: Speaker): LearnedRoutes {
  const taken = [...self.learned].flatMap(([prefix, ways]) => [...ways.keys()].map((peer) => `${prefix} ${peer}`))
  const chosen = [...self.learned].flatMap(([prefix, ways]) => {
    const [best = '', ...others] = ranked(self, prefix)
    const isEqual = (peer: string) =>
      preferenceOf(self, peer) === preferenceOf(self, best) && ways.get(peer)!.length === ways.get(best)!.length
    return [best, ...others.filter(isEqual)].slice(0, self.network.routing.paths).map((peer) => `${prefix} ${peer}`)
  })
  return { taken: taken.toSorted(), chosen: chosen.toSorted() }
}
