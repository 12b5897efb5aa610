import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { sortSegments, toNetwork } from '#domain/network/addresses/segments.ts'
import { type TunnelNetwork, isPair, isUnnumbered } from './tunnels.ts'

/** One routing table: the device's own, or that of a POP node's network. */
export interface Instance {
  /** Suffix of the names of its files. */
  readonly suffix: string
  readonly asn: number
  /** LANs that the router declares. */
  readonly lans: readonly string[]
  readonly networks: readonly TunnelNetwork[]
}

/** Isolated networks have a table each, neither with the LAN nor with the WAN of the device. */
export function listInstances(document: RouterDocument, networks: readonly TunnelNetwork[]): Instance[] {
  const { asn } = document
  const shared = networks.filter(({ network }) => !network.isolated)
  const lans = sortSegments(document.lans.map(({ segment }) => toNetwork(segment)))
  return [
    ...(shared.length > 0 ? [{ suffix: '', asn, lans, networks: shared }] : []),
    ...networks
      .filter(({ network }) => network.isolated)
      .map((network) => ({ suffix: `-${network.slot}`, asn, lans: [], networks: [network] })),
  ]
}

export const isPoint = ({ network }: TunnelNetwork): boolean => network.member_type === 'point'

export const advertisesDefault = ({ network }: TunnelNetwork): boolean =>
  network.routing.default.mode === 'advertise' && !network.isolated

export const softwareSegments = ({ network }: TunnelNetwork): string[] =>
  sortSegments(
    network.servers.filter((s) => s.service === 'software').map(({ ip, mask }) => toNetwork(`${ip}/${mask}`)),
  )

/** Segments of the tunnels themselves, each once: a service and its links share one. */
export const tunnelSegments = ({ servers, links }: DocumentNetwork): string[] =>
  sortSegments([
    ...servers.map(({ ip, mask }) => toNetwork(`${ip}/${mask}`)),
    ...links.filter((link) => !isUnnumbered(link)).map(({ local_ip: ip, mask }) => toNetwork(`${ip}/${mask}`)),
  ])

/** True if the peer is a centre or node, which passes on routes of others. */
export function isTransit({ network }: TunnelNetwork, link: DocumentLink): boolean {
  if (isPair(link)) return link.kind !== 'point'
  const { role, peer } = link
  return role === 'client' || network.members.some((m) => m.router_name === peer && m.member_type === 'center')
}

/** A peer that may declare anything, because its own routing decides. */
export const isDynamic = (network: TunnelNetwork, link: DocumentLink): boolean =>
  link.peer_prefixes === null && !isTransit(network, link)

/** A point takes from its centres what comes; routes are filtered at centres, nodes and both ends of a link of points. */
export const isFiltered = (network: TunnelNetwork, link: DocumentLink): boolean =>
  !isPoint(network) || link.kind === 'point'
