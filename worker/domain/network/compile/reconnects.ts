import type { DocumentLink, DocumentNetwork, DocumentServer, RouterDocument } from '#contract/device/document.ts'
import { isSameJson } from '#contract/kernel/compare.ts'

/*
 * Tunnels of one router that a change of its document restarts. A tunnel restarts with its port, inner addresses, ciphers,
 * control key, authority and targets. Rates, prefix rows, members, routing, DNS, the revocation list, accounts, routes of
 * software members and a renewed certificate restart none.
 */

/** Parts of a document that its tunnels depend on; without `authorities` those of both documents count as the same. */
type NetworkPart = Pick<DocumentNetwork, 'ciphers' | 'servers' | 'links' | 'authority' | 'control_key'>
type Authorities = RouterDocument['authorities']

interface End {
  readonly network: NetworkPart
  readonly authorities?: Authorities
}

export interface Reconnects {
  /** Ids of links that are in both documents. */
  readonly links: readonly string[]
  /** Numbers of networks whose software members connect anew. */
  readonly software: readonly string[]
}

/** Links that reconnect because of this router's end, and its services for software members that restart. */
export function reconnectsBetween(before: RouterDocument, after: RouterDocument): Reconnects {
  const known = new Map(before.networks.map((network) => [network.network_number, network]))
  const pairs = after.networks.flatMap((network) => {
    const old = known.get(network.network_number)
    if (old === undefined) return []
    return [
      {
        was: { network: old, authorities: before.authorities },
        is: { network, authorities: after.authorities },
        number: network.network_number,
      },
    ]
  })
  return {
    links: pairs.flatMap(({ was, is }) =>
      was.network.links.flatMap((old) => {
        const link = is.network.links.find(({ id }) => id === old.id)
        return link !== undefined && reconnects(was, old, is, link) ? [link.id] : []
      }),
    ),
    software: pairs.filter(({ was, is }) => softwareReconnects(was, is)).map(({ number }) => number),
  }
}

/**
 * Centres, by the number of the network, that have to run their new documents before this point runs its own: those of
 * tunnels that are new, or restart at both ends. @param readBefore reads the document that the point has; null for none.
 */
export function awaitedCenters(
  readBefore: () => RouterDocument | null,
  after: RouterDocument,
): ReadonlyMap<string, readonly string[]> {
  const isAwaited = ({ kind, role, carrier }: DocumentLink) =>
    kind === 'access' && role === 'client' && carrier === 'tunnel'
  const points = after.networks.filter(({ links }) => links.some(isAwaited))
  if (points.length === 0) return new Map()
  const before = readBefore()
  return new Map(
    points.flatMap((network) => {
      const old = before?.networks.find((one) => one.network_number === network.network_number)
      const known = new Map(old?.links.map((link) => [link.id, link]))
      const centers = network.links.filter(isAwaited).filter((link) => {
        const was = known.get(link.id)
        if (old === undefined || was === undefined) return true
        const part = agreedPart({ network, authorities: after.authorities }, link)
        return !isSameJson(agreedPart({ network: old, authorities: before?.authorities }, was), part)
      })
      return centers.length === 0 ? [] : [[network.network_number, centers.map(({ peer }) => peer)] as const]
    }),
  )
}

/** Values of a tunnel that its client and its server have to agree on. */
const agreedPart = (end: End, { kind, carrier, local_ip, remote_ip, mask, remotes }: DocumentLink) => [
  sharedPart(end),
  kind,
  carrier,
  [local_ip, remote_ip, mask],
  [...new Set(remotes.map(({ port }) => port))],
]

/** True if the tunnel of a link restarts at this end, or this end disconnects its peer. */
export const reconnects = (was: End, old: DocumentLink, is: End, link: DocumentLink): boolean =>
  !isSameJson(tunnelPart(was, old), tunnelPart(is, link))

/** True if a service for software members is in both documents and restarts. */
export function softwareReconnects(was: End, is: End): boolean {
  const [old, now] = [findServer(was, 'software'), findServer(is, 'software')]
  return old !== undefined && now !== undefined && !isSameJson(softwarePart(was, old), softwarePart(is, now))
}

const findServer = ({ network }: End, service: DocumentServer['service']): DocumentServer | undefined =>
  network.servers.find((server) => server.service === service)

/** Values that all tunnels of a network share. A certificate counts by whether there is one: a renewal restarts nothing. */
function sharedPart({ network: { ciphers, authority, control_key }, authorities = [] }: End) {
  const own = authorities.find(({ id }) => id === authority)
  return [ciphers, control_key ?? null, own?.ca ?? null, (own?.certificate ?? null) !== null]
}

/** Routes and DNS of clients are given with their admission. */
const softwarePart = (end: End, { port, ip, mask, pool }: DocumentServer) => [sharedPart(end), port, ip, mask, pool]

/** Null for a client without an address to dial, which has no tunnel. */
function tunnelPart(end: End, link: DocumentLink) {
  const { kind, role, peer, mask } = link
  const common = [sharedPart(end), kind, role, peer]
  if (kind === 'point') return pointLinkPart(common, link)
  if (role === 'client' && dialled(link).length === 0) return null
  // the hardware address of a tunnel to a service is made of its own address
  if (role === 'client') return [...common, dialled(link), hasOwnTunnel(link) ? mask === UNNUMBERED : link.local_ip]
  const addresses = [link.local_ip, link.remote_ip, mask]
  if (hasOwnTunnel(link)) return [...common, link.port, addresses]
  const server = findServer(end, 'router')
  return [...common, server?.port, server?.ip, server?.mask, addresses]
}

/**
 * Both ends of a point link dial, so that each restarts with its own port, addresses and targets. Null for one without port
 * and targets, which has no tunnel.
 */
function pointLinkPart(common: readonly unknown[], link: DocumentLink) {
  const { port, local_ip, remote_ip, mask } = link
  if (port === null && dialled(link).length === 0) return null
  return [...common, port, dialled(link), local_ip, mask, mask === UNNUMBERED ? remote_ip : null]
}

const UNNUMBERED = 32

/** True for a link with a server of its own at one end; the service `router` answers the others. */
const hasOwnTunnel = ({ kind }: DocumentLink): boolean => kind === 'center' || kind === 'backbone'

/** Targets of a client. Tunnels are IPv4. */
const dialled = ({ remotes }: DocumentLink): DocumentLink['remotes'] =>
  remotes.filter(({ host }) => !host.includes(':'))
