import { linkEndpoint } from '../../contract/document-fields.ts'
import { type RouterDocument, routerDocument } from '../../contract/protocol.ts'
import { centerSegments, hostAddress } from './segments.ts'
import { computeLinks } from './links.ts'

/** Rows of one network member. */
export interface DocumentMember {
  readonly routerName: string
  readonly routerType: 1 | 2
  readonly memberType: 'center' | 'point'
  /** A centre's subnet index, unique in the account; null for a point. */
  readonly segmentIndex: number | null
  /** Host number in each centre's hardware segment, fixed at join; unique in the network. */
  readonly host: number
  /** Where the member's server answers, as last seen; null until known. */
  readonly endpoint: { readonly host: string; readonly port: number } | null
}

export interface NetworkRows {
  readonly networkNumber: string
  readonly ciphers: 'default' | 'sm'
  /** Hex; a probe key is derived from it for each link. */
  readonly secret: string
  readonly members: readonly DocumentMember[]
}

/**
 * Compiles one router's networks into its document. Pure and canonical: rows in any order give the same document, so
 * that an unchanged hash means an unchanged device. It names only the router's peers (a point its centres, a centre
 * its points), so that a change of members pushes to no other router. Throws where a row holds what no device may be sent.
 *
 * @param linkKey derives a link's probe key from the network's secret and the link's id.
 */
export function compileRouter(
  routerName: string,
  networks: readonly NetworkRows[],
  linkKey: (secret: string, linkId: string) => string,
): RouterDocument {
  const sorted = networks.toSorted((a, b) => compareText(a.networkNumber, b.networkNumber))
  return routerDocument.parse({
    router_name: routerName,
    networks: sorted.map((network) => compileNetwork(routerName, network, linkKey)),
  })
}

function compileNetwork(
  routerName: string,
  network: NetworkRows,
  linkKey: (secret: string, linkId: string) => string,
): RouterDocument['networks'][number] {
  const members = network.members.toSorted((a, b) => compareText(a.routerName, b.routerName))
  const self = members.find((m) => m.routerName === routerName)
  if (!self) throw new Error(`${routerName} is no member of ${network.networkNumber}`)
  const byName = new Map(members.map((m) => [m.routerName, m]))
  const own = members.filter((m) => m.memberType === 'center' && (self.memberType === 'point' || m === self))
  return {
    network_number: network.networkNumber,
    member_type: self.memberType,
    ciphers: network.ciphers,
    addresses: own.map((center) => {
      const { hardware } = centerSegments(center.segmentIndex ?? 0)
      return {
        center: center.routerName,
        segment: hardware,
        ip: hostAddress(hardware, center === self ? 1 : self.host),
      }
    }),
    software_segment: self.memberType === 'center' ? centerSegments(self.segmentIndex ?? 0).software : null,
    members: members
      .filter((m) => m === self || m.memberType !== self.memberType)
      .map((m) => ({ router_name: m.routerName, member_type: m.memberType })),
    links: computeLinks(network.networkNumber, members)
      .filter((link) => link.client === routerName || link.server === routerName)
      .map((link) => {
        const isClient = link.client === routerName
        return {
          id: link.id,
          peer: isClient ? link.server : link.client,
          role: isClient ? ('client' as const) : ('server' as const),
          endpoint: isClient ? endpointOf(byName.get(link.server)) : null, // a server does not need its own
          key: linkKey(network.secret, link.id),
        }
      }),
  }
}

/** What a server was seen at may be anything; without an address of it a point waits, and its other links work. */
const endpointOf = (server?: DocumentMember) => linkEndpoint.safeParse(server?.endpoint).data ?? null

/** Code point order: the same in every runtime, whatever its locale. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** JSON with sorted keys at every depth: the text that is hashed, on both ends. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
