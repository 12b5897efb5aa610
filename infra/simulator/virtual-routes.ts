import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { isInside, parseRange, toNetwork } from '#domain/network/addresses/segments.ts'

/* Routes that routers exchange by their documents, as the rendered files have them do. */

/** A router as its document makes it speak to others. */
export interface Speaker {
  readonly name: string
  readonly network: DocumentNetwork
  readonly lans: readonly string[]
  readonly software: readonly string[]
  /** By prefix and neighbor: routers of the way, the next one first. */
  readonly learned: Map<string, Map<string, readonly string[]>>
}

export type Speakers = ReadonlyMap<string, Speaker>
export const DEFAULT = '0.0.0.0/0'
const ROUNDS_MAX = 50

export const toSpeaker = (name: string, { lans }: RouterDocument, network: DocumentNetwork): Speaker => ({
  name,
  network,
  lans: network.isolated ? [] : lans.map(({ segment }) => toNetwork(segment)),
  software: network.servers.filter((s) => s.service === 'software').map(({ ip, mask }) => toNetwork(`${ip}/${mask}`)),
  learned: new Map(),
})

const isPoint = ({ network }: Speaker): boolean => network.member_type === 'point'
const isFiltered = (speaker: Speaker, { kind }: DocumentLink): boolean => !isPoint(speaker) || kind === 'point'

/** Exchanges routes by turns in the order of the speakers; false: they never settle. */
export function exchange(speakers: Speakers): boolean {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const moved = [...speakers.values()].map((self) => listen(self, speakers))
    if (!moved.includes(true)) return true
  }
  return false
}

/** Takes what the neighbors announce now; true if that is something else than before. */
function listen(self: Speaker, speakers: Speakers): boolean {
  const before = JSON.stringify([...self.learned].map(([prefix, ways]) => [prefix, [...ways]]))
  self.learned.clear()
  for (const link of self.network.links) {
    const peer = speakers.get(link.peer)
    const other = peer?.network.links.find(({ id }) => id === link.id)
    if (!peer || !other) continue // it does not run
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
  const others = isPoint(self) ? [] : [...self.learned].filter(([prefix]) => !isOwn(self, prefix))
  return [
    ...own.map((prefix) => [prefix, [self.name]] as const),
    ...others.map(([prefix, ways]) => {
      const [best = ''] = ranked(self, prefix, speakers)
      return [prefix, [self.name, ...(ways.get(best) ?? [])]] as const
    }),
  ]
}

/** A router's own prefix wins over a learned one. */
export const isOwn = ({ network, lans, software }: Speaker, prefix: string): boolean =>
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
  const length = lengthOf(prefix)
  const found = rows.find((row) => {
    const [first, last] = [row.ge ?? lengthOf(row.prefix), row.le ?? lengthOf(row.prefix)]
    return isInside(prefix, row.prefix) && first <= length && length <= last
  })
  return rows.length === 0 || found?.permit === true
}

const lengthOf = (prefix: string): number => Number(prefix.split('/')[1])

/** As the route maps set it: of a default route by the metric of its origin, of others by the link. */
function preferenceOf({ network, learned }: Speaker, prefix: string, peer: string, speakers: Speakers): number {
  if (prefix !== DEFAULT) return 100 + (network.links.find((link) => link.peer === peer)?.preference ?? 0)
  const origin = learned.get(prefix)?.get(peer)?.at(-1) ?? ''
  return 300 - (speakers.get(origin)?.network.routing.default.metric ?? 0)
}

/** Neighbors that announce a prefix: the higher local preference first, then the shorter way. */
function ranked(self: Speaker, prefix: string, speakers: Speakers): readonly string[] {
  const ways = self.learned.get(prefix) ?? new Map<string, readonly string[]>()
  const length = (peer: string) => ways.get(peer)?.length ?? 0
  const preference = (peer: string) => preferenceOf(self, prefix, peer, speakers)
  return [...ways.keys()].toSorted((a, b) => preference(b) - preference(a) || length(a) - length(b) || (a < b ? -1 : 1))
}

/** Neighbors over which a router reaches a prefix; several share the load. */
export function chosenPeers(self: Speaker, prefix: string, speakers: Speakers): readonly string[] {
  const [best, ...others] = ranked(self, prefix, speakers)
  if (best === undefined) return []
  const ways = self.learned.get(prefix)
  const isEqual = (peer: string) =>
    preferenceOf(self, prefix, peer, speakers) === preferenceOf(self, prefix, best, speakers) &&
    ways?.get(peer)?.length === ways?.get(best)?.length
  return [best, ...others.filter(isEqual)].slice(0, self.network.routing.paths)
}

/** Learned prefix with the fewest addresses that has this one. */
export const prefixFor = (self: Speaker, address: string): string | null =>
  [...self.learned.keys()]
    .filter((prefix) => !isOwn(self, prefix) && isInside(`${address}/32`, prefix))
    .toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null

const sizeOf = (prefix: string): number => {
  const range = parseRange(prefix)
  return range === null ? Infinity : range.last - range.first
}
