import type { DocumentLink } from '#contract/device/document.ts'
import { centerLinkAddresses, pointLinkAddresses } from '../addresses/link-addresses.ts'
import { LINK_PREFERENCE, type LinkKind, centerLinkEnds, linkId } from '../members/links.ts'
import { defaultPort } from '../addresses/ports.ts'
import { hostAddress } from '../addresses/segments.ts'
import { asnOf, dialledAt, endpointOf } from './links.ts'
import type { DocumentMember, NetworkView } from './rows.ts'
import { declaredLans, serviceSegments } from './service-segments.ts'

/** A link of two members alike: two centres, or two that are none. */
interface Pair {
  readonly kind: Exclude<LinkKind, 'access' | 'pop'>
  readonly server: DocumentMember
  readonly client: DocumentMember
  readonly port: number
  readonly remotes: DocumentLink['remotes']
  /** Inner ones, of both ends. */
  readonly addresses: ReturnType<typeof pointLinkAddresses>
  readonly mask: number
}

/** The twin-centre link of this router, or none. */
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
      port,
      remotes: dialledAt(server, ports, port),
      addresses: centerLinkAddresses(link, ends, hardwareAddress),
      mask: link.gateway === '' ? 32 : link.mask,
    }),
  ]
}

/** Links of this router to others that are no centres, by their id. */
export function compilePointLinks(view: NetworkView): DocumentLink[] {
  const { self, members, pointLinks = [] } = view
  const byId = new Map(members.map((m) => [m.routerId, m]))
  const links = pointLinks.flatMap(({ serverId, clientId, port, ...link }) => {
    const [server, client] = [byId.get(serverId), byId.get(clientId)]
    if (!server || !client || (self !== server && self !== client)) return []
    const addresses = pointLinkAddresses(link)
    const remotes = dialledAt(server, { public_ip: null, public_port: null }, port)
    return [toLink(view, { kind: 'point', server, client, port, remotes, addresses, mask: link.mask })]
  })
  return links.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function toLink({ self, networkNumber, secret, linkKey }: NetworkView, pair: Pair): DocumentLink {
  const { kind, server, client, addresses } = pair
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
    local_ip: isClient ? addresses.client : addresses.server,
    remote_ip: isClient ? addresses.server : addresses.client,
    mask: pair.mask,
    peer_asn: asnOf(peer),
    peer_prefixes: kind === 'center' || peer.settings.quagga.enable === 1 ? null : declaredLans(peer),
    preference: LINK_PREFERENCE[kind],
    rate_mbps: null,
  }
}
