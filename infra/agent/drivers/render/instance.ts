import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { sortSegments, toNetwork } from '#domain/network/addresses/segments.ts'
import { type TunnelNetwork, isPair, isUnnumbered } from './tunnels.ts'

/* Routing tables of a document (instances), with the segments and kinds of links that their configuration depends on. */

/** One routing table: that of the device, or that of an isolated network of a POP node. */
export interface Instance {
  /** Suffix of the names of its files. */
  readonly suffix: string
  readonly asn: number
  /** LANs that the router declares. */
  readonly lans: readonly string[]
  readonly networks: readonly TunnelNetwork[]
}

/** Lists the instances of a document. Each isolated network has its own, without the LAN and WAN of the device. */
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

/** True if the router takes default routes of others: a centre or node passes them on. */
export const takesDefault = ({ network }: TunnelNetwork): boolean =>
  network.member_type !== 'point' || network.routing.default.mode === 'receive'

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

/** True if the peer may declare anything, because its own routing decides. */
export const isDynamic = (network: TunnelNetwork, link: DocumentLink): boolean =>
  link.peer_prefixes === null && !isTransit(network, link)

/** True if the link's routes are filtered: at centres, nodes and both ends of a link of points. Other points accept all. */
export const isFiltered = (network: TunnelNetwork, link: DocumentLink): boolean =>
  !isPoint(network) || link.kind === 'point'
