import type { DocumentLink, DocumentNetwork, DocumentServer } from '#contract/device/document.ts'
import { LINK_PREFERENCE, linkId } from '../members/links.ts'
import { nodePort } from '../addresses/ports.ts'
import { hostAddress, sortSegments } from '../addresses/segments.ts'
import { blockingRow } from '../routing/prefix-rows.ts'
import { ANYWHERE, asnOf, carrierOf, dialledAt } from './links.ts'
import { compareText } from '#contract/kernel/compare.ts'
import { type DocumentMember, type NetworkRows, type NetworkView, type PopNode, namedMembers } from './rows.ts'
import { toRow } from './routing.ts'
import {
  declaredByAll,
  declaredLans,
  maskOf,
  toPool,
  serviceSegments,
  hasPlace,
  isDialled,
  nodeSegments,
  nodesOf,
  sortNodes,
} from './server-segments.ts'
import { toAccount } from './servers.ts'
import { OV_PRIORITY, POP_MODE } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Compiles the POP parts of documents: links of members to POP nodes, a network on a node, links between nodes. */

/** Places of a node's ports (nodePort). */
const PLACE = { router: 0, software: 1, backboneFirst: 2 } as const

export const nodeServicePort = ({ portIndex }: Pick<PopNode, 'portIndex'>, service: 'router' | 'software'): number =>
  nodePort(portIndex, PLACE[service])

type Source = Pick<NetworkView, 'networkNumber' | 'secret' | 'linkKey' | 'settings' | 'mode' | 'popNodes'>

/** Links of this member to the nodes of its main and backup area. */
export const compilePopLinks = (view: NetworkView): DocumentLink[] =>
  view.self.routerType === ROUTER_TYPE.hardware
    ? nodesOf(view, view.self).flatMap((node) => toPopLink(view, view.self, node, 'client'))
    : []

/** A network on a POP node. It has its own routing table, without LAN and WAN of the device. */
export function compileNode(network: NetworkRows & Pick<NetworkView, 'linkKey'>, node: PopNode): DocumentNetwork {
  const members = namedMembers(network.members).toSorted((a, b) => compareText(a.routerName, b.routerName))
  const served = members.filter((member) => isDialled(member, node))
  const { router, software } = nodeSegments(network, node)
  const centers = members.filter(({ memberType }) => memberType === 'center')
  const segments = [
    ...centers.map((center) => serviceSegments(center).software),
    ...sortNodes(network).map((one) => nodeSegments(network, one).software),
  ]
  return {
    network_number: network.networkNumber,
    member_type: 'pop',
    ciphers: network.ciphers,
    addresses: [{ center: node.routerName, segment: router, ip: hostAddress(router, 1) }],
    software_segment: software,
    members: served.map((m) => ({ router_name: m.routerName, member_type: m.memberType })),
    links: [
      ...served
        .filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
        .flatMap((member) => toPopLink(network, member, node, 'server')),
      ...compileBackbone(network, node),
    ],
    isolated: true,
    servers: compileServers(network, members, node),
    routing: {
      paths: 1,
      announce: 'declared',
      rows: network.settings.prefix.map(toRow),
      system: sortSegments(segments),
      default: { mode: 'off', metric: null },
    },
    dns: [...network.settings.dns],
  }
}

/** The link from either end; none if the node's part of the segment has no address for the member. */
function toPopLink(
  { networkNumber, secret, linkKey, ...network }: Source,
  member: DocumentMember,
  node: PopNode,
  role: 'server' | 'client',
): DocumentLink[] {
  if (!hasPlace(network, member, node)) return []
  const { router } = nodeSegments(network, node)
  const isClient = role === 'client'
  const id = linkId(networkNumber, member.routerName, node.routerName)
  const [memberIp, nodeIp] = [hostAddress(router, member.host), hostAddress(router, 1)]
  const isDynamic = member.memberType === 'center' || member.settings.quagga.enable === 1
  return [
    {
      id,
      peer: isClient ? node.routerName : member.routerName,
      role,
      ...(isClient ? carrierOf(member, node, true, nodeIp) : carrierOf(node, member, false, memberIp)),
      key: linkKey(secret, id),
      kind: 'pop',
      remotes: isClient ? dialledAt(node, ANYWHERE, nodeServicePort(node, 'router')) : [],
      port: null, // the node's server `router`
      local_ip: isClient ? memberIp : nodeIp,
      remote_ip: isClient ? nodeIp : memberIp,
      mask: maskOf(router),
      peer_asn: asnOf(isClient ? node : member),
      peer_prefixes: isClient || isDynamic ? null : declaredLans(member),
      preference: popPreference(network, member, node),
      rate_mbps: node.bandwidth,
    },
  ]
}

/** Preference of routes over the link of a member and a node. */
export function popPreference(
  { mode }: Pick<Source, 'mode'>,
  { settings: { ov } }: Pick<DocumentMember, 'settings'>,
  { areaId }: Pick<PopNode, 'areaId'>,
): number {
  const base = mode === POP_MODE.popFirst ? LINK_PREFERENCE.popFirst : LINK_PREFERENCE.pop
  return base + (ov.main === areaId ? LINK_PREFERENCE.mainArea : 0) + OV_PRIORITY.max - ov.priority
}

/** Links of a node to all other nodes. Each end uses its address in its own segment. */
function compileBackbone({ networkNumber, secret, linkKey, ...network }: Source, self: PopNode): DocumentLink[] {
  const nodes = sortNodes(network)
  const addressOf = (node: PopNode) => hostAddress(nodeSegments(network, node).router, 1)
  const links = nodes
    .filter((other) => other !== self)
    .map((other): DocumentLink => {
      const isClient = self.segmentIndex > other.segmentIndex
      const [client, server] = isClient ? [self, other] : [other, self]
      const port = nodePort(server.portIndex, PLACE.backboneFirst + nodes.indexOf(client))
      const id = linkId(networkNumber, client.routerName, server.routerName)
      return {
        id,
        peer: other.routerName,
        role: isClient ? 'client' : 'server',
        ...carrierOf(self, other, isClient, addressOf(other)),
        key: linkKey(secret, id),
        kind: 'backbone',
        remotes: isClient ? dialledAt(server, ANYWHERE, port) : [],
        port: isClient ? null : port,
        local_ip: addressOf(self),
        remote_ip: addressOf(other),
        mask: 32,
        peer_asn: asnOf(other),
        peer_prefixes: null,
        preference: LINK_PREFERENCE.backbone,
        rate_mbps: self.bandwidth,
      }
    })
  return links.toSorted((a, b) => compareText(a.id, b.id))
}

function compileServers(network: Source, members: readonly DocumentMember[], node: PopNode): DocumentServer[] {
  const { router, software } = nodeSegments(network, node)
  const apps = members.filter((m) => m.routerType === ROUTER_TYPE.software && isDialled(m, node))
  return [
    {
      service: 'router',
      port: nodeServicePort(node, 'router'),
      ip: hostAddress(router, 1),
      mask: maskOf(router),
      pool: null,
      accounts: [],
      routes: [],
      rate_mbps: node.bandwidth,
    },
    {
      service: 'software',
      port: nodeServicePort(node, 'software'),
      ip: hostAddress(software, 1),
      mask: maskOf(software),
      pool: toPool(software, null),
      accounts: apps.filter((member) => hasPlace(network, member, node)).map((member) => toAccount(member, software)),
      routes: routesBehindNodes(network, members),
      rate_mbps: node.bandwidth,
    },
  ]
}

/** Segments behind the nodes of a network, as the given members declare them and the prefix rows permit. */
export const routesBehindNodes = (
  network: Pick<Source, 'popNodes' | 'settings'>,
  members: readonly DocumentMember[],
): string[] =>
  declaredByAll(listBehind(network, members)).filter(
    (segment) => blockingRow(network.settings.prefix, segment) === null,
  )

/** Hardware members reached over the nodes: those that dial one, or all if a centre does. */
function listBehind(network: Pick<Source, 'popNodes'>, members: readonly DocumentMember[]): readonly DocumentMember[] {
  const hardware = members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const dialling = hardware.filter((member) => nodesOf(network, member).length > 0)
  return dialling.some(({ memberType }) => memberType === 'center') ? hardware : dialling
}
