import type { DocumentLink } from '#contract/device/document.ts'
import {
  type Instance,
  advertisesDefault,
  isDynamic,
  isFiltered,
  isPoint,
  isTransit,
  takesDefault,
} from './instance.ts'
import { TUNNEL_TABLE } from './policy-rules.ts'
import type { Target } from './target.ts'
import type { TunnelNetwork } from './tunnels.ts'
import { DEFAULT_ROUTE_METRICS } from '#contract/network/limits.ts'

/* Renders the route maps of FRR: routes that are accepted from each peer, and routes that are announced to it. */

const PREFERENCE = 100
const DEFAULT_PREFERENCE = 300 // less the metric: the advertiser counts more than the path to it

/**
 * Sessions that treat routes alike share their maps, because the time of bgpd for maps grows faster than their number: with
 * maps of their own, 300 peers took 27 s. Prefixes that a peer declares are a filter of its own (frr-prefixes.ts).
 */
export function inMapName(network: TunnelNetwork, link: DocumentLink): string {
  const origin = isFiltered(network, link) ? originOf(network, link) : 'ANY'
  return `IN-${network.slot}-${origin}-${link.preference}`
}

const originOf = (network: TunnelNetwork, link: DocumentLink): string =>
  isTransit(network, link) ? 'TRANSIT' : isDynamic(network, link) ? 'DYNAMIC' : 'DECLARED'

export const outMapName = (network: TunnelNetwork, link: DocumentLink): string =>
  `OUT-${network.slot}-${isFiltered(network, link) ? 'ROWS' : 'ANY'}`

/** Names of the prefix lists that exist (frr-prefixes.ts). */
type Lists = ReadonlySet<string>

interface Entry {
  readonly seq: number
  readonly action: 'permit' | 'deny'
  /** A prefix list; an entry for one that does not exist is left out. */
  readonly list: string | null
  readonly rest?: readonly string[]
}

/** Maps of a network's sessions, and the map of its ROWS list. */
export function networkMaps(network: TunnelNetwork, lists: Lists): string[] {
  const rows = `ROWS-${network.slot}`
  const maps = new Map<string, readonly Entry[]>()
  if (lists.has(rows)) maps.set(rows, [{ seq: 10, action: 'permit', list: rows }])
  for (const { link } of network.sessions) {
    maps.set(inMapName(network, link), inEntries(network, link, lists))
    maps.set(outMapName(network, link), outEntries(network, link, lists))
  }
  return [...maps].flatMap(([name, entries]) => mapLines(name, entries, lists))
}

function mapLines(name: string, entries: readonly Entry[], lists: Lists): string[] {
  return entries
    .filter(({ list }) => list === null || lists.has(list))
    .flatMap(({ seq, action, list, rest = [] }) => [
      `route-map ${name} ${action} ${seq}`,
      ...(list === null ? [] : [` match ip address prefix-list ${list}`]),
      ...rest.map((line) => ` ${line}`),
      'exit',
    ])
}

/** Routes accepted from a peer: defaults by metric, software segments, then routes that the peer and the rows allow. */
function inEntries(network: TunnelNetwork, link: DocumentLink, lists: Lists): Entry[] {
  const { slot } = network
  const { isolated } = network.network
  const take = (preference: number): string[] => [
    `set local-preference ${preference}`,
    `set community 65000:${slot}`,
    ...(isolated ? [] : [`set table ${TUNNEL_TABLE}`]), // its namespace has no other routes
  ]
  const rest = [...(isFiltered(network, link) ? rowsCall(slot, lists) : []), ...take(PREFERENCE + link.preference)]
  return [
    ...(takesDefault(network) ? DEFAULT_ROUTE_METRICS : []).map((metric, index): Entry => {
      const matched = [`match metric ${metric}`, ...take(DEFAULT_PREFERENCE - metric)]
      return { seq: (index + 1) * 10, action: 'permit', list: 'DEFAULT', rest: matched }
    }),
    { seq: 60, action: 'deny', list: 'DEFAULT' },
    ...(isTransit(network, link) && isFiltered(network, link)
      ? [{ seq: 65, action: 'permit', list: `SYSTEM-${slot}`, rest: take(PREFERENCE + link.preference) } as const]
      : []),
    { seq: 70, action: 'permit', list: dynamicList(network, link, lists), rest },
  ]
}

/** List for a dynamic peer. Only rows limit it; without rows it may not declare others' prefixes. */
function dynamicList(network: TunnelNetwork, link: DocumentLink, lists: Lists): string | null {
  const isLimited = isFiltered(network, link) && isDynamic(network, link) && !lists.has(`ROWS-${network.slot}`)
  return isLimited ? `DYNAMIC-${network.slot}` : null
}

const rowsCall = (slot: number, lists: Lists): string[] => (lists.has(`ROWS-${slot}`) ? [`call ROWS-${slot}`] : [])

/** Routes announced to a peer: by a point only its own, else it would carry others' traffic; by others the network's. */
function outEntries(network: TunnelNetwork, link: DocumentLink, lists: Lists): Entry[] {
  const { slot } = network
  const { metric } = network.network.routing.default
  const own = 'match as-path OWN'
  return [
    ...(advertisesDefault(network)
      ? [{ seq: 10, action: 'permit', list: 'DEFAULT', rest: [own, `set metric ${metric ?? 0}`] } as const]
      : []),
    { seq: 20, action: 'permit', list: `SOFTWARE-${slot}`, rest: [own] },
    {
      seq: 30,
      action: 'permit',
      list: `OWN-${slot}`,
      rest: [own, ...(isFiltered(network, link) ? rowsCall(slot, lists) : [])],
    },
    ...(isPoint(network)
      ? []
      : [{ seq: 40, action: 'permit', list: null, rest: [`match community NETWORK-${slot}`] } as const]),
  ]
}

/** Segments on the device's interfaces, without those of its WAN. */
export const connectedMap = (target: Target, lists: Lists): string[] =>
  mapLines(
    'CONNECTED',
    [
      ...target.wan.map((name, index) => {
        return { seq: index + 1, action: 'deny', list: null, rest: [`match interface ${name}`] } as const
      }),
      { seq: 100, action: 'permit', list: 'CONNECTED' },
    ],
    lists,
  )

export const redistributes = ({ networks, suffix }: Instance): boolean =>
  suffix === '' && networks.some(({ network }) => network.routing.announce === 'connected')
