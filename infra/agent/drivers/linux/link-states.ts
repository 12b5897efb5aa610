import type { DocumentLink } from '#contract/device/document.ts'
import type { TunnelEnd } from '#contract/kernel/protocol.ts'
import { NO_ANSWER_REASON } from '#contract/kernel/states.ts'
import type { ClientSession } from './openvpn/management-lines.ts'
import { dialled, isMutual, listNetworks, type Tunnel } from '../render/tunnels.ts'
import type { Rendering } from './tool.ts'

/* States of the links of a running document, by its tunnels and routing sessions. Pure. */

type Session = Pick<ClientSession, 'cipher' | 'remote'>
type Sessions = ReadonlyMap<string, Session>

/** State of a running tunnel process, by the name of its interface. */
interface TunnelState {
  readonly isUp: boolean
  /** Address and port of the server of a client; '' without one. */
  readonly remote: string
  /** Session of the other end of a link that both ends dial. */
  readonly peer: Session | null
  /** Sessions by the name of the client. */
  clients(): Sessions
  /** True for a client that was refused because its certificate is revoked. */
  hasRevoked(name: string): boolean
}

export interface LinkState {
  readonly isUp: boolean
  /** As the console shows it: the reason of a link that is down, cipher and address of a session. */
  readonly tunnel: TunnelEnd
  /** Server that a client with several targets is connected to. */
  readonly remote?: string
}

export const LINK_REASON = {
  noCertificate: '证书尚未签发',
  noAddress: '对端地址未知',
  exhausted: '隧道进程多次退出，已停止',
  noAnswer: NO_ANSWER_REASON,
  noClient: '对端未拨入',
  noSession: '路由会话未建立',
  revoked: '证书已吊销',
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
    listNetworks(rendering.document, rendering.slots).flatMap(({ network, tunnels }) => {
      const ends = new Map(tunnels.flatMap((tunnel) => readEnds(tunnel, sources)))
      const revoked = new Set(tunnels.flatMap((tunnel) => revokedLinks(tunnel, sources)))
      const isWaiting = sources.waiting.includes(network.network_number)
      return network.links.map((link) => {
        const own = ends.get(link.id)
        const found = isWaiting ? LINK_REASON.noCertificate : reasonOf(link, own, sources)
        const reason = found === LINK_REASON.noClient && revoked.has(link.id) ? LINK_REASON.revoked : found
        const tunnel = reason === null ? sessionOf(link, own) : { reason }
        const remote = reason === null && dialled(link).length > 1 ? (own?.remote ?? '') : ''
        return [link.id, { isUp: reason === null, tunnel, ...(remote !== '' && { remote }) }] as const
      })
    }),
  )
}

/** Interface of the process of each link, by the id of the link. */
export const linkDevices = ({ document, slots }: Rendering): ReadonlyMap<string, string> =>
  new Map(
    listNetworks(document, slots).flatMap(({ tunnels }) =>
      tunnels.flatMap((tunnel) => linksOf(tunnel).map(({ id }) => [id, tunnel.device] as const)),
    ),
  )

const linksOf = (tunnel: Tunnel): readonly DocumentLink[] =>
  'links' in tunnel ? tunnel.links : 'link' in tunnel ? [tunnel.link] : []

/** Process of a link at this end, with its sessions. */
interface LinkProcess {
  readonly isExhausted: boolean
  readonly isUp: boolean
  readonly remote: string
  readonly clients: Sessions
}

/** The process of a tunnel, once for each of its links: a centre has thousands. */
function readEnds(tunnel: Tunnel, sources: LinkSources): (readonly [id: string, process: LinkProcess])[] {
  const state = sources.tunnel(tunnel.device)
  const isExhausted = sources.exhausted.has(tunnel.device)
  const process = {
    isExhausted,
    isUp: state?.isUp ?? false,
    remote: state?.remote ?? '',
    clients: toSessions(tunnel, state),
  }
  return linksOf(tunnel).map(({ id }) => [id, process])
}

/** Links whose peer was refused by the revocation list. */
function revokedLinks(tunnel: Tunnel, sources: LinkSources): string[] {
  const state = sources.tunnel(tunnel.device)
  return linksOf(tunnel).flatMap(({ id, peer }) => (state?.hasRevoked(peer) ? [id] : []))
}

function toSessions(tunnel: Tunnel, state: TunnelState | null): Sessions {
  if (tunnel.type !== 'pair-peer') return state?.clients() ?? new Map()
  return new Map(state?.peer ? [[tunnel.link.peer, state.peer]] : [])
}

/** Cipher and address of the other end, as a server or an end that both dials and answers has them. */
function sessionOf(link: DocumentLink, own: LinkProcess | undefined): TunnelEnd {
  const session = link.role === 'server' || isMutual(link) ? own?.clients.get(link.peer) : undefined
  if (!session) return {}
  const { cipher, remote } = session
  return { ...(remote !== '' && { remote }), ...(cipher !== '' && { cipher }) }
}

function reasonOf(link: DocumentLink, own: LinkProcess | undefined, sources: LinkSources): string | null {
  if (!own) return LINK_REASON.noAddress
  if (own.isExhausted) return LINK_REASON.exhausted
  if ((link.role === 'client' || isMutual(link)) && !own.isUp) return LINK_REASON.noAnswer
  if (link.role === 'server' && !isMutual(link) && !own.clients.has(link.peer)) return LINK_REASON.noClient
  return sources.established?.has(link.remote_ip) === false ? LINK_REASON.noSession : null
}
