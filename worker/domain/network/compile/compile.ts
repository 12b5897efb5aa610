import { type DocumentNetwork, type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { toNetwork, sortSegments } from '../addresses/segments.ts'
import { asnOf, compileAccessLinks, compileCenterLink, compilePointLinks } from './links.ts'
import { compareText } from '#contract/kernel/compare.ts'
import { type DeviceKeys, compileAuthorities, compileNetworkKeys } from './keys.ts'
import { compileNode, compilePopLinks } from './pop.ts'
import { compileRouting } from './routing.ts'
import { type DocumentMember, type NetworkRows, type NetworkView, namedMembers } from './rows.ts'
import { compileServers } from './servers.ts'
import { memberAddress, serviceSegments } from './server-segments.ts'

/**
 * Compiles one router's networks into its document, the configuration of its device. Pure and canonical: rows in any
 * order give the same document, so that an unchanged hash means an unchanged device. It names only the router's peers (a
 * point its centres, a centre its points), so that a change of members pushes to no other router. Throws if a row holds an
 * invalid value. Each capability is compiled by a file of this folder, which returns its part.
 * @param linkKey derives a link's probe key from the network's secret and the link's id.
 * @param bandwidthMbps present limit of a SaaS device.
 * @param keys of a device that runs its tunnels; null for others.
 */
export function compileRouter(
  routerName: string,
  networks: readonly NetworkRows[],
  linkKey: NetworkView['linkKey'],
  bandwidthMbps: number | null = null,
  keys: DeviceKeys | null = null,
): RouterDocument {
  const sorted = networks.toSorted((a, b) => compareText(a.networkNumber, b.networkNumber))
  const self = sorted[0]?.members.find((m) => m.routerName === routerName)
  const device = self ?? (sorted[0] && findNode(sorted[0], routerName))
  return routerDocument.parse({
    router_name: routerName,
    networks: sorted.map((network) => ({
      ...compileOneNetwork(routerName, network, linkKey),
      ...compileNetworkKeys(keys, network.networkNumber),
    })),
    asn: device ? asnOf(device) : 0,
    lans: self ? compileLans(self) : [],
    ...compileAuthorities(keys),
    ...(bandwidthMbps !== null && { bandwidth_mbps: bandwidthMbps }),
  } satisfies RouterDocument)
}

const findNode = ({ popNodes = [] }: NetworkRows, routerName: string) =>
  popNodes.find((node) => node.routerName === routerName)

export function compileOneNetwork(
  routerName: string,
  network: NetworkRows,
  linkKey: NetworkView['linkKey'],
): DocumentNetwork {
  const node = findNode(network, routerName)
  return node ? compileNode({ ...network, linkKey }, node) : compileNetwork(toView(routerName, network, linkKey))
}

function toView(routerName: string, network: NetworkRows, linkKey: NetworkView['linkKey']): NetworkView {
  const members = namedMembers(network.members, routerName).toSorted((a, b) => compareText(a.routerName, b.routerName))
  const byName = new Map(members.map((m) => [m.routerName, m]))
  const self = byName.get(routerName)
  if (!self) throw new Error(`${routerName} is no member of ${network.networkNumber}`)
  const centers = members.filter((m) => m.memberType === 'center')
  return { ...network, members, byName, self, centers, linkKey }
}

/** Addresses of the router: a centre has one in its own segment, a point one in each centre's segment. */
function compileAddresses({ self, centers }: NetworkView): Pick<DocumentNetwork, 'addresses' | 'software_segment'> {
  const own = centers.filter((center) => self.memberType === 'point' || center === self)
  return {
    addresses: own.map((center) => {
      const { router } = serviceSegments(center)
      return { center: center.routerName, segment: router, ip: memberAddress(router, self, center) }
    }),
    software_segment: self.memberType === 'center' ? serviceSegments(self).software : null,
  }
}

const compileNetwork = (view: NetworkView): DocumentNetwork => ({
  network_number: view.networkNumber,
  member_type: view.self.memberType,
  ciphers: view.ciphers,
  ...compileAddresses(view),
  members: view.members
    .filter((m) => m === view.self || m.memberType !== view.self.memberType)
    .map((m) => ({ router_name: m.routerName, member_type: m.memberType })),
  links: [
    ...compileAccessLinks(view),
    ...compileCenterLink(view),
    ...compilePointLinks(view),
    ...compilePopLinks(view),
  ],
  isolated: false,
  servers: compileServers(view),
  routing: compileRouting(view),
  dns: [...view.settings.dns],
})

/** Segments that this router may declare, on its interfaces and behind next hops. */
function compileLans({ lans, staticRoutes }: DocumentMember): RouterDocument['lans'] {
  const behind = staticRoutes.map(({ prefix, via }) => ({ segment: prefix, via }))
  const own = sortSegments(lans.map(toNetwork)).map((segment) => ({ segment, via: null }))
  return [...own, ...behind.toSorted((a, b) => compareText(a.segment, b.segment) || compareText(a.via, b.via))]
}

/** JSON with sorted keys at every depth. Server and device hash this text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const object = value as Readonly<Record<string, unknown>>
    const keys = Object.keys(object).toSorted(compareText)
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`).join(',')}}`
  }
  return JSON.stringify(value)
}
