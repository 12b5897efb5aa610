import { linkTarget } from '#contract/device/document-fields.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import type { DocumentLink } from '#contract/device/document.ts'
import {
  LINK_PREFERENCE,
  type MemberLink,
  computeLinks,
  type LinkKind,
  centerLinkEnds,
  linkId,
} from '../members/links.ts'
import { isName } from '#domain/router/endpoints.ts'
import { type DocumentMember, type NetworkView, hostsOf } from './rows.ts'
import { declaredLans, maskOf, memberAddress, serviceSegments } from './server-segments.ts'
import { servicePort } from './servers.ts'
import { ASN_FIRST } from '#contract/network/limits.ts'
import { centerLinkAddresses, pointLinkAddresses } from '../addresses/link-addresses.ts'
import { defaultPort } from '../addresses/ports.ts'
import { hostAddress } from '../addresses/segments.ts'

/* Compiles links of one router's document: to centres or points, to the twin centre, between points (POP links: pop.ts). */

export const asnOf = ({ routerId }: Pick<DocumentMember, 'routerId'>): number => ASN_FIRST + routerId

/** Links of this router to its centres, or to its points. */
export function compileAccessLinks(view: NetworkView): DocumentLink[] {
  const { networkNumber, members, centers, self, byName, secret, settings, linkKey } = view
  const isOwn = (link: MemberLink) => link.client === self.routerName || link.server === self.routerName
  const links = computeLinks(networkNumber, members).filter(isOwn)
  return centers.flatMap((center) => {
    const isClient = center !== self
    const { router } = serviceSegments(center)
    const shared = {
      role: isClient ? ('client' as const) : ('server' as const),
      kind: 'access' as const,
      remotes: isClient ? remotesOf(center) : [],
      port: null, // the centre's server `router`
      local_ip: memberAddress(router, self, center),
      mask: maskOf(router),
      preference: accessPreference(settings.routing, center),
      rate_mbps: null,
    }
    return links.flatMap(({ id, client, server }) => {
      const peer = isClient ? center : byName.get(client)
      if (server !== center.routerName || !peer) return []
      const remoteIp = memberAddress(router, peer, center)
      return [
        {
          ...shared,
          ...carrierOf(self, peer, isClient, remoteIp),
          id,
          peer: peer.routerName,
          key: linkKey(secret, id),
          remote_ip: remoteIp,
          peer_asn: asnOf(peer),
          peer_prefixes: isClient || peer.settings.quagga.enable === 1 ? null : declaredLans(peer),
        },
      ]
    })
  })
}

/** Preference of the links between a centre and its points: the main router first, then the secondary, then all others. */
export function accessPreference(
  { type, main, secondary }: NetworkView['settings']['routing'],
  { routerId }: Pick<DocumentMember, 'routerId'>,
): number {
  if (type === 1) return LINK_PREFERENCE.access
  if (routerId === main) return LINK_PREFERENCE.main
  return routerId === secondary ? LINK_PREFERENCE.secondary : LINK_PREFERENCE.access
}

type Carrying = Pick<DocumentMember, 'endpoint' | 'vpn'>

/**
 * Carrier of a link and targets of its probe, which a server does not need. In a tunnel the probe goes to the peer's inner
 * address. A reported endpoint is untrusted text; without a valid one only the client's link to this server waits.
 */
export function carrierOf(
  self: Carrying,
  peer: Carrying,
  isClient: boolean,
  innerAddress: string,
): Pick<DocumentLink, 'carrier' | 'endpoint' | 'endpoints'> {
  const isTunnel = self.vpn === true && peer.vpn === true
  const targets = isClient ? toTargets(hostsOf(peer.endpoint), peer.endpoint?.port) : []
  const [first] = targets
  if (isTunnel) return { carrier: 'tunnel', endpoint: first ? { host: innerAddress, port: first.port } : null }
  const endpoint = targets.find(({ host }) => !isName(host)) ?? null
  const isOnly = targets.length === (endpoint === null ? 0 : 1)
  return { carrier: 'probe', endpoint, ...(!isOnly && { endpoints: targets }) }
}

/** Targets that are valid; others are left out. */
const toTargets = (hosts: readonly string[], port: number | undefined): DocumentLink['remotes'] =>
  hosts.flatMap((host) => linkTarget.safeParse({ host, port }).data ?? [])

/** Devices without a chosen address and port are dialled at their own ones. */
export const ANYWHERE = { public_ip: null, public_port: null } as const

/** Public endpoints of a centre's hardware service. */
const remotesOf = (center: DocumentMember): DocumentLink['remotes'] =>
  dialledAt(center, center.settings.fixed_port.router_service, servicePort(center, 'router'))

/** Public endpoints of a server: the chosen address, or those of the device, with the chosen port or its own; empty until known. */
export function dialledAt(
  server: Pick<DocumentMember, 'endpoint'>,
  { public_ip: host, public_port: port }: Pick<ServicePorts, 'public_ip' | 'public_port'>,
  ownPort: number,
): DocumentLink['remotes'] {
  return toTargets(host === null ? hostsOf(server.endpoint) : [host], port ?? ownPort)
}

interface Ends<T> {
  readonly client: T
  readonly server: T
}

/** A link between two centres, or between two points. */
interface Pair {
  readonly kind: Exclude<LinkKind, 'access' | 'pop'>
  readonly server: DocumentMember
  readonly client: DocumentMember
  /** Ports and dialled endpoints of both ends. Of a point link each end dials the other. */
  readonly ports: Ends<DocumentLink['port']>
  readonly remotes: Ends<DocumentLink['remotes']>
  /** Inner addresses of both ends. */
  readonly addresses: ReturnType<typeof pointLinkAddresses>
  readonly mask: number
}

export function compileCenterLink(view: NetworkView): DocumentLink[] {
  const { self, members, settings } = view
  const { ports, ...link } = settings.center_link
  const ends = centerLinkEnds({ enable: link.enable, server: link.server }, members)
  if (ends === null || (self !== ends.server && self !== ends.client)) return []
  const { server, client } = ends
  const port = ports.static_port ?? defaultPort(server.segmentIndex ?? 0, 'center_link')
  const hardwareAddress = (center: DocumentMember) => hostAddress(serviceSegments(center).router, 1)
  return [
    toLink(view, {
      kind: 'center',
      server,
      client,
      ports: { client: null, server: port },
      remotes: { client: dialledAt(server, ports, port), server: [] },
      addresses: centerLinkAddresses(link, ends, hardwareAddress),
      mask: link.gateway === '' ? 32 : link.mask,
    }),
  ]
}

export function compilePointLinks(view: NetworkView): DocumentLink[] {
  const { self, members, pointLinks = [] } = view
  const byId = new Map(members.map((m) => [m.routerId, m]))
  const links = pointLinks.flatMap(({ serverId, clientId, port, clientPort = null, ...link }) => {
    const [server, client] = [byId.get(serverId), byId.get(clientId)]
    if (!server || !client || (self !== server && self !== client)) return []
    const addresses = pointLinkAddresses(link)
    // Devices without tunnels dial no server: their documents stay those of the release before.
    const ports = { server: port, client: server.vpn === true && client.vpn === true ? clientPort : null }
    const remotes = {
      client: dialledAt(server, ANYWHERE, ports.server),
      server: ports.client === null ? [] : dialledAt(client, ANYWHERE, ports.client),
    }
    return [toLink(view, { kind: 'point', server, client, ports, remotes, addresses, mask: link.mask })]
  })
  return links.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function toLink({ self, networkNumber, secret, linkKey }: NetworkView, pair: Pair): DocumentLink {
  const { kind, server, client, addresses } = pair
  const isClient = self === client
  const peer = isClient ? server : client
  const id = linkId(networkNumber, client.routerName, server.routerName)
  const remoteIp = isClient ? addresses.server : addresses.client
  return {
    id,
    peer: peer.routerName,
    role: isClient ? 'client' : 'server',
    ...carrierOf(self, peer, isClient, remoteIp),
    key: linkKey(secret, id),
    kind,
    remotes: isClient ? pair.remotes.client : pair.remotes.server,
    port: isClient ? pair.ports.client : pair.ports.server,
    local_ip: isClient ? addresses.client : addresses.server,
    remote_ip: remoteIp,
    mask: pair.mask,
    peer_asn: asnOf(peer),
    peer_prefixes: kind === 'center' || peer.settings.quagga.enable === 1 ? null : declaredLans(peer),
    preference: LINK_PREFERENCE[kind],
    rate_mbps: null,
  }
}
