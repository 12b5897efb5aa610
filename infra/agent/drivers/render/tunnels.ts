import type { DocumentLink, DocumentNetwork, DocumentServer, RouterDocument } from '#contract/device/document.ts'
import type { Slots } from './slots.ts'

/** One tunnel process of this device; `device` names its interface and its files. */
export type Tunnel = { readonly device: string } & (
  | { readonly type: 'access-server'; readonly server: DocumentServer; readonly links: readonly DocumentLink[] }
  | { readonly type: 'software-server'; readonly server: DocumentServer }
  | { readonly type: 'access-client' | 'pair-server' | 'pair-client'; readonly link: DocumentLink }
)

/** A network with what its files are made of. */
export interface TunnelNetwork {
  readonly network: DocumentNetwork
  readonly slot: number
  readonly tunnels: readonly Tunnel[]
  /** Every link is a BGP session; its number stays with it. */
  readonly sessions: readonly { readonly number: number; readonly link: DocumentLink }[]
}

/** A document of protocol 1 names no tunnels: there is nothing to make of it but its text. */
export const hasTunnels = ({ asn }: RouterDocument): boolean => asn > 0

export function listNetworks(document: RouterDocument, slots: Slots): TunnelNetwork[] {
  if (!hasTunnels(document)) return []
  return document.networks.flatMap((network) => {
    const found = slots.get(network.network_number)
    if (!found) return []
    const sessions = network.links.map((link) => ({ number: found.links.get(link.id) ?? 0, link }))
    return [{ network, slot: found.slot, sessions, tunnels: listTunnels(network, found.slot, sessions) }]
  })
}

function listTunnels(network: DocumentNetwork, slot: number, sessions: TunnelNetwork['sessions']): Tunnel[] {
  const servers = network.servers.map((server): Tunnel => {
    if (server.service === 'software') return { type: 'software-server', device: `ov${slot}s`, server }
    const links = network.links.filter((link) => link.role === 'server' && !isPair(link))
    return { type: 'access-server', device: `ov${slot}r`, server, links }
  })
  const own = sessions.flatMap(({ number, link }): Tunnel[] => {
    if (link.role === 'server') {
      return isPair(link) ? [{ type: 'pair-server', device: pairDevice(slot, number), link }] : []
    }
    if (dialled(link).length === 0) return [] // waits until the peer's address is known
    return isPair(link)
      ? [{ type: 'pair-client', device: pairDevice(slot, number), link }]
      : [{ type: 'access-client', device: `ov${slot}c${number}`, link }]
  })
  return [...servers, ...own]
}

export const pairDevice = (slot: number, number: number): string => `ov${slot}x${number}`

/** Two ends with a process each; the other kinds are accepted by the service for routers. */
export const isPair = ({ kind }: DocumentLink): boolean => kind === 'center' || kind === 'point' || kind === 'backbone'

/** Tunnels are IPv4: a service that was seen at an IPv6 address cannot be dialled. */
export const dialled = ({ remotes }: DocumentLink): DocumentLink['remotes'] =>
  remotes.filter(({ host }) => !host.includes(':'))

/** A pair without a segment: each end answers under an address that it has in a segment of its service. */
export const isUnnumbered = ({ mask }: Pick<DocumentLink, 'mask'>): boolean => mask === 32
