import { sortSegments, toNetwork } from '#domain/network/addresses/segments.ts'
import type { DocumentLink } from '#contract/device/document.ts'
import {
  type Instance,
  isDynamic,
  isFiltered,
  isTransit,
  softwareSegments,
  takesDefault,
  tunnelSegments,
} from './instance.ts'
import type { TunnelNetwork } from './tunnels.ts'
import { MASK } from '#contract/network/limits.ts'

/* Renders the prefix lists of FRR, which its route maps (frr-route-maps.ts) match. */

/** Entry of a list, in order; a prefix that no entry matches is denied. */
interface Entry {
  readonly permit: boolean
  readonly prefix: string
  readonly ge?: number | null
  readonly le?: number | null
}

const DEFAULT = '0.0.0.0/0'
const permit = (prefix: string): Entry => ({ permit: true, prefix })
/** Denies a segment and all of its subnets. */
const denyAll = (prefix: string): Entry => ({ permit: false, prefix, le: 32 })
/** Anything but a default route. */
const ANY: Entry = { ...permit(DEFAULT), ge: MASK.prefix.min, le: 32 }

/** Lists by name. FRR treats an empty list as one that permits everything, so it is left out, as are its matches. */
export function listPrefixes(instance: Instance): ReadonlyMap<string, readonly Entry[]> {
  const lists = new Map<string, readonly Entry[]>([['DEFAULT', [permit(DEFAULT)]]])
  for (const network of instance.networks) {
    const { slot, sessions } = network
    const { rows, system } = network.network.routing
    lists.set(`ROWS-${slot}`, rows)
    lists.set(`SYSTEM-${slot}`, sortSegments(system).map(permit))
    lists.set(`SOFTWARE-${slot}`, softwareSegments(network).map(permit))
    lists.set(`OWN-${slot}`, ownEntries(instance, network))
    if (sessions.some(({ link }) => isDynamic(network, link))) {
      lists.set(`DYNAMIC-${slot}`, dynamicEntries(instance, network))
    }
    for (const { number, link } of sessions) {
      const entries = peerEntries(network, link)
      if (entries !== null) lists.set(peerListName(network, number), entries)
    }
  }
  return new Map([...lists].filter(([, entries]) => entries.length > 0))
}

export const prefixLines = (lists: ReadonlyMap<string, readonly Entry[]>): string[] =>
  [...lists].flatMap(([name, entries]) =>
    withoutRepeated(entries).map(
      (entry, index) =>
        `ip prefix-list ${name} seq ${(index + 1) * STEP} ${entry.permit ? 'permit' : 'deny'} ${toMatch(entry)}`,
    ),
  )

/** The first entry for a prefix decides. FRR ignores a repeated one in silence. */
function withoutRepeated(entries: readonly Entry[]): readonly Entry[] {
  const matches = entries.map(toMatch)
  return entries.filter((_, index) => matches.indexOf(matches[index] ?? '') === index)
}

const STEP = 5

function toMatch({ prefix, ge, le }: Entry): string {
  const length = Number(prefix.split('/')[1])
  const range = le === length ? [] : [...(ge ? [`ge ${ge}`] : []), ...(le ? [`le ${le}`] : [])]
  return [toNetwork(prefix), ...range].join(' ')
}

export const peerListName = ({ slot }: TunnelNetwork, session: number): string => `PEER-${slot}-${session}`

/** Filter of a peer that declares its prefixes: these, and defaults and software segments if its map takes them. */
function peerEntries(network: TunnelNetwork, link: DocumentLink): Entry[] | null {
  if (link.peer_prefixes === null || !isFiltered(network, link)) return null
  const { system } = network.network.routing
  const others = [
    ...(takesDefault(network) ? [DEFAULT] : []),
    ...(isTransit(network, link) ? sortSegments(system) : []),
  ]
  const entries = [...others, ...sortSegments(link.peer_prefixes)].map(permit)
  return entries.length > 0 ? entries : [denyAll(DEFAULT)]
}

/** Prefixes that this router declares in the network, without software segments and default. */
const ownEntries = (instance: Instance, { network }: TunnelNetwork): Entry[] =>
  network.routing.announce === 'declared' ? instance.lans.map(permit) : connectedEntries(instance)

/** Segments on the interfaces of the device, without tunnels. */
export const connectedEntries = ({ networks }: Instance): Entry[] => [
  ...sortSegments(networks.flatMap(({ network }) => tunnelSegments(network))).map(denyAll),
  ANY,
]

/** Denies tunnel segments and everything that others declared. */
function dynamicEntries({ lans }: Instance, network: TunnelNetwork): Entry[] {
  const declared = network.sessions.flatMap(({ link }) => link.peer_prefixes ?? [])
  return [...sortSegments([...tunnelSegments(network.network), ...lans, ...declared]).map(denyAll), ANY]
}
