import type { DocumentLink } from '../../../contract/router-document.ts'
import { LINK_PREFERENCE, type LinkKind, centerLinkEnds, linkId } from '../links.ts'
import { defaultPort } from '../ports.ts'
import { hostAddress } from '../segments.ts'
import { asnOf, dialledAt, endpointOf } from './links.ts'
import type { DocumentMember, NetworkView } from './rows.ts'
import { declaredLans, maskOf, serviceSegments } from './service-segments.ts'

/** A link of two members alike: two centres, or two that are none. */
interface Pair {
  readonly kind: Exclude<LinkKind, 'access' | 'pop'>
  readonly server: DocumentMember
  readonly client: DocumentMember
  readonly port: number
  readonly remotes: DocumentLink['remotes']
  /** Inner addresses. */
  readonly serverIp: string
  readonly clientIp: string
  readonly mask: number
}

/** The twin-centre link of this router, or none. */
export function compileCenterLink(view: NetworkView): DocumentLink[] {
  const { self, members, settings } = view
  const { gateway, mask, ports, ...link } = settings.center_link
  const ends = centerLinkEnds({ enable: link.enable, server: link.server }, members)
  if (ends === null || (self !== ends.server && self !== ends.client)) return []
  const { server, client } = ends
  const port = ports.static_port ?? defaultPort(server.segmentIndex ?? 0, 'center_link')
  const inSegment = (host: number) => hostAddress(`${gateway}/${mask}`, host)
  const own = (center: DocumentMember) => hostAddress(serviceSegments(center).router, 1)
  return [
    toLink(view, {
      kind: 'center',
      server,
      client,
      port,
      remotes: dialledAt(server, ports, port),
      // Without a segment of its own each end answers under its address in the hardware segment.
      ...(gateway === ''
        ? { serverIp: own(server), clientIp: own(client), mask: 32 }
        : { serverIp: inSegment(1), clientIp: inSegment(2), mask }),
    }),
  ]
}

/** Links of this router to others that are no centres, by their id. */
export function compilePointLinks(view: NetworkView): DocumentLink[] {
  const { self, members, pointLinks = [] } = view
  const byId = new Map(members.map((m) => [m.routerId, m]))
  const links = pointLinks.flatMap(({ serverId, clientId, gateway, mask, port }) => {
    const [server, client] = [byId.get(serverId), byId.get(clientId)]
    if (!server || !client || (self !== server && self !== client)) return []
    const segment = `${gateway}/${mask}`
    const [serverIp, clientIp] = [hostAddress(segment, 1), hostAddress(segment, 2)]
    const remotes = dialledAt(server, { public_ip: null, public_port: null }, port)
    return [toLink(view, { kind: 'point', server, client, port, remotes, serverIp, clientIp, mask: maskOf(segment) })]
  })
  return links.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function toLink({ self, networkNumber, secret, linkKey }: NetworkView, pair: Pair): DocumentLink {
  const { kind, server, client } = pair
  const isClient = self === client
  const peer = isClient ? server : client
  const id = linkId(networkNumber, client.routerName, server.routerName)
  return {
    id,
    peer: peer.routerName,
    role: isClient ? 'client' : 'server',
    endpoint: isClient ? endpointOf(server) : null,
    key: linkKey(secret, id),
    kind,
    carrier: 'probe',
    remotes: isClient ? pair.remotes : [],
    port: isClient ? null : pair.port,
    local_ip: isClient ? pair.clientIp : pair.serverIp,
    remote_ip: isClient ? pair.serverIp : pair.clientIp,
    mask: pair.mask,
    peer_asn: asnOf(peer),
    peer_prefixes: kind === 'center' || peer.settings.quagga.enable === 1 ? null : declaredLans(peer),
    preference: LINK_PREFERENCE[kind],
    rate_mbps: null,
  }
}
