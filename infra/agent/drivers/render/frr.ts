import { ipText } from '#contract/kernel/ipv4.ts'
import { sortSegments } from '#domain/network/addresses/segments.ts'
import { connectedEntries, listPrefixes, peerListName, prefixLines } from './frr-prefixes.ts'
import { connectedMap, inMapName, networkMaps, outMapName, redistributes } from './frr-route-maps.ts'
import { type Instance, advertisesDefault, isPoint, softwareSegments } from './instance.ts'
import type { Target } from './target.ts'
import { type TunnelNetwork, deviceOf } from './tunnels.ts'

/* Renders the configuration of FRR: that of bgpd, because zebra and bfdd need none. */

/** Largest number of equal paths in FRR. */
const PATHS_MAX = 64

/**
 * bgpd gathers new sessions for this time before it sends them routes. Its default is 1 s and 50 ms more for each peer, which
 * would lengthen the gap after every tunnel's return.
 */
const COALESCE_MS = 50

/** The text holds no name that a person chose, except names of WAN ports. */
export function renderFrr(instance: Instance, target: Target): string {
  const { asn, networks } = instance
  const prefixes = new Map(listPrefixes(instance))
  if (redistributes(instance)) prefixes.set('CONNECTED', connectedEntries(instance))
  const lists = new Set(prefixes.keys())
  const maps = [
    ...networks.flatMap((network) => networkMaps(network, lists)),
    ...(redistributes(instance) ? connectedMap(target, lists) : []),
  ]
  const routes = networks.flatMap((network) => routeLines(network, lists))
  const matched = new Set([...maps, ...routes].map((line) => / prefix-list (\S+)(?: in)?$/.exec(line)?.[1]))
  return `${[
    'bgp route-map delay-timer 0',
    'bgp as-path access-list OWN seq 5 permit ^$',
    ...networks.map(({ slot }) => `bgp community-list standard NETWORK-${slot} seq 5 permit 65000:${slot}`),
    ...prefixLines(new Map([...prefixes].filter(([name]) => matched.has(name)))),
    ...maps,
    `router bgp ${asn}`,
    ` bgp router-id ${routerId(asn)}`,
    ' bgp log-neighbor-changes',
    ` coalesce-time ${COALESCE_MS}`,
    ' no bgp default ipv4-unicast',
    ' no bgp network import-check',
    ' bgp bestpath as-path multipath-relax',
    ...networks.flatMap(sessionLines),
    ' address-family ipv4 unicast',
    ...originLines(instance),
    `  maximum-paths ${Math.min(PATHS_MAX, Math.max(...networks.map(({ network }) => network.routing.paths)))}`,
    ...routes,
    ' exit-address-family',
    'exit',
  ].join('\n')}\n`
}

/** Router id, independent of addresses: a new id would cut every session. Peers refuse an id of class E. */
const routerId = (asn: number): string => ipText(asn % 2 ** 31)

/**
 * The dialled end waits, because the dialling end knows when the tunnel is up. A session names its interface: BFD finds it
 * by that where two have one address, and a tunnel's return is noticed at once (0.05 s instead of 1 s).
 */
const sessionLines = ({ slot, sessions }: TunnelNetwork): string[] =>
  sessions.flatMap(({ number, link }) => {
    const { remote_ip: peer, peer_asn: asn, role } = link
    return [
      ` neighbor ${peer} remote-as ${asn}`,
      ` neighbor ${peer} bfd`,
      ...(role === 'server' ? [` neighbor ${peer} passive`] : []),
      ` neighbor ${peer} update-source ${deviceOf(link, slot, number)}`,
      ` neighbor ${peer} advertisement-interval 0`,
      ` neighbor ${peer} timers 3 9`,
      ` neighbor ${peer} timers connect 1`,
    ]
  })

const originLines = (instance: Instance): string[] => [
  ...(instance.networks.some(advertisesDefault) ? ['  network 0.0.0.0/0'] : []),
  ...sortSegments([...instance.lans, ...instance.networks.flatMap(softwareSegments)]).map(
    (segment) => `  network ${segment}`,
  ),
  ...(redistributes(instance) ? ['  redistribute connected route-map CONNECTED'] : []),
]

/** Metrics of default routes pass centres and nodes unchanged. */
const routeLines = (network: TunnelNetwork, lists: ReadonlySet<string>): string[] =>
  network.sessions.flatMap(({ number, link }) => {
    const { remote_ip: peer } = link
    const list = peerListName(network, number)
    return [
      `  neighbor ${peer} activate`,
      `  neighbor ${peer} next-hop-self`,
      ...(isPoint(network) ? [] : [`  neighbor ${peer} attribute-unchanged med`]),
      ...(lists.has(list) ? [`  neighbor ${peer} prefix-list ${list} in`] : []),
      `  neighbor ${peer} route-map ${inMapName(network, link)} in`,
      `  neighbor ${peer} route-map ${outMapName(network, link)} out`,
    ]
  })
