import type { DocumentLink, DocumentNetwork, DocumentServer, RouterDocument } from '#contract/device/document.ts'
import type { Slots } from './slots.ts'

/* Tunnels of a document: the processes of each network on this device, their interface names and BGP sessions. */

/** One tunnel process of this device; `device` names its interface and its files. */
export type Tunnel = { readonly device: string } & (
  | { readonly type: 'access-server'; readonly server: DocumentServer; readonly links: readonly DocumentLink[] }
  | { readonly type: 'software-server'; readonly server: DocumentServer }
  | { readonly type: 'access-client' | 'pair-server' | 'pair-client' | 'pair-peer'; readonly link: DocumentLink }
)

/** A network with its tunnels and sessions, from which its files are rendered. */
export interface TunnelNetwork {
  readonly network: DocumentNetwork
  readonly slot: number
  readonly tunnels: readonly Tunnel[]
  /** BGP sessions, one for each link; a link keeps its number. */
  readonly sessions: readonly { readonly number: number; readonly link: DocumentLink }[]
}

/** False for a document of protocol 1, which names no tunnels and is only rendered as text. */
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
    if (isMutual(link)) return isRun(link) ? [{ type: 'pair-peer', device: pairDevice(slot, number), link }] : []
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

/** Interface of a link. */
export function deviceOf(link: DocumentLink, slot: number, number: number): string {
  if (isPair(link)) return pairDevice(slot, number)
  return link.role === 'server' ? `ov${slot}r` : `ov${slot}c${number}`
}

const pairDevice = (slot: number, number: number): string => `ov${slot}x${number}`

/** True for a link with a process at either end; the service for routers accepts the other kinds. */
export const isPair = ({ kind }: DocumentLink): boolean => kind === 'center' || kind === 'point' || kind === 'backbone'

/** True for a link that both ends dial: either may be behind NAT. */
export const isMutual = ({ kind }: DocumentLink): boolean => kind === 'point'

/** An end of such a link that dials nobody waits for the other one, at its port. */
const isRun = (link: DocumentLink): boolean => link.port !== null || dialled(link).length > 0

/** Targets that can be dialled; OpenVPN looks up names. Tunnels are IPv4, so IPv6 addresses are left out. */
export const dialled = ({ remotes }: DocumentLink): DocumentLink['remotes'] =>
  remotes.filter(({ host }) => !host.includes(':'))

/** True for a pair without a segment: each end uses an address that it has in a segment of its service. */
export const isUnnumbered = ({ mask }: Pick<DocumentLink, 'mask'>): boolean => mask === 32
