import { linkEndpoint } from '#contract/device/document-fields.ts'
import type { ServicePorts } from '#contract/network/fields.ts'
import type { DocumentLink } from '#contract/device/document.ts'
import { LINK_PREFERENCE, type MemberLink, computeLinks } from '../members/links.ts'
import type { DocumentMember, NetworkView } from './rows.ts'
import { declaredLans, maskOf, memberAddress, serviceSegments } from './service-segments.ts'
import { servicePort } from './servers.ts'
import { ASN_FIRST } from '#contract/network/limits.ts'

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
      endpoint: isClient ? endpointOf(center) : null, // a server does not need its own
      kind: 'access' as const,
      carrier: 'probe' as const, // no device carries tunnels yet
      remotes: isClient ? remotesOf(center) : [],
      port: null, // the centre's server `router`
      local_ip: memberAddress(router, self, center),
      mask: maskOf(router),
      preference: isMain(settings.routing, center) ? LINK_PREFERENCE.main : LINK_PREFERENCE.access,
      rate_mbps: null,
    }
    return links.flatMap(({ id, client, server }) => {
      const peer = isClient ? center : byName.get(client)
      if (server !== center.routerName || !peer) return []
      return [
        {
          ...shared,
          id,
          peer: peer.routerName,
          key: linkKey(secret, id),
          remote_ip: memberAddress(router, peer, center),
          peer_asn: asnOf(peer),
          peer_prefixes: isClient || peer.settings.quagga.enable === 1 ? null : declaredLans(peer),
        },
      ]
    })
  })
}

export const isMain = ({ type, main }: NetworkView['settings']['routing'], { routerId }: DocumentMember): boolean =>
  type === 2 && main === routerId

/** A reported endpoint is untrusted text. Without a valid one only the client's link to this server waits. */
export const endpointOf = ({ endpoint }: Pick<DocumentMember, 'endpoint'>) =>
  linkEndpoint.safeParse(endpoint).data ?? null

/** Public endpoints of a centre's hardware service. */
const remotesOf = (center: DocumentMember): DocumentLink['remotes'] =>
  dialledAt(center, center.settings.fixed_port.router_service, servicePort(center, 'router'))

/** As it was set, or where the device was seen, on its own port; empty until that is known. */
export function dialledAt(
  server: Pick<DocumentMember, 'endpoint'>,
  { public_ip: host, public_port: port }: Pick<ServicePorts, 'public_ip' | 'public_port'>,
  ownPort: number,
): DocumentLink['remotes'] {
  const remote = linkEndpoint.safeParse({ host: host ?? server.endpoint?.host, port: port ?? ownPort })
  return remote.success ? [remote.data] : []
}
