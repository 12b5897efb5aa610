import type { DocumentLink } from '#contract/device/document.ts'
import type { TunnelEnd } from '#contract/kernel/protocol.ts'
import type { ClientSession } from './openvpn/management-lines.ts'
import { listNetworks, type Tunnel } from '../render/tunnels.ts'
import type { Rendering } from './tool.ts'

/* States of the links of a running document, by its tunnels and routing sessions. Pure. */

/** State of a running tunnel process, by the name of its interface. */
export interface TunnelState {
  readonly isUp: boolean
  /** Names of the clients with a session. */
  clients(): ReadonlySet<string>
  session(client: string): Pick<ClientSession, 'cipher' | 'remote'> | null
}

export interface LinkState {
  readonly isUp: boolean
  /** As the console shows it: the reason of a link that is down, cipher and address of a session. */
  readonly tunnel: TunnelEnd
}

export const LINK_REASON = {
  noCertificate: '证书尚未签发',
  noAddress: '对端地址未知',
  exhausted: '隧道进程多次退出，已停止',
  noTunnel: '隧道未连通',
  noSession: '路由会话未建立',
} as const

export interface LinkSources {
  tunnel(device: string): TunnelState | null
  readonly exhausted: { has(device: string): boolean }
  /** Networks whose tunnels wait for a certificate. */
  readonly waiting: readonly string[]
  /** Addresses of peers with an established session; null where no daemon answers. */
  readonly established: ReadonlySet<string> | null
}

/** A link is up when its tunnel is connected and the routing session over it is established. */
export function linkStates(rendering: Rendering, sources: LinkSources): ReadonlyMap<string, LinkState> {
  return new Map(
    listNetworks(rendering.document, rendering.slots).flatMap(({ network, tunnels }) =>
      network.links.map((link) => {
        const isWaiting = sources.waiting.includes(network.network_number)
        const own = tunnels.find((tunnel) => carries(tunnel, link))
        const reason = isWaiting ? LINK_REASON.noCertificate : reasonOf(link, own, sources)
        const tunnel = reason === null ? sessionOf(link, own, sources) : { reason }
        return [link.id, { isUp: reason === null, tunnel }] as const
      }),
    ),
  )
}

/** Cipher and address of the client; a client end knows neither. */
function sessionOf({ role, peer }: DocumentLink, own: Tunnel | undefined, sources: LinkSources): TunnelEnd {
  const session = role === 'server' && own ? sources.tunnel(own.device)?.session(peer) : null
  if (!session) return {}
  const { cipher, remote } = session
  return { remote, ...(cipher !== '' && { cipher }) }
}

function reasonOf(link: DocumentLink, own: Tunnel | undefined, sources: LinkSources): string | null {
  if (!own) return LINK_REASON.noAddress
  if (sources.exhausted.has(own.device)) return LINK_REASON.exhausted
  const state = sources.tunnel(own.device)
  const isConnected = link.role === 'client' ? state?.isUp : state?.clients().has(link.peer)
  if (!isConnected) return LINK_REASON.noTunnel
  return sources.established?.has(link.remote_ip) === false ? LINK_REASON.noSession : null
}

const carries = (tunnel: Tunnel, { id }: DocumentLink): boolean =>
  'links' in tunnel ? tunnel.links.some((link) => link.id === id) : 'link' in tunnel && tunnel.link.id === id
