import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { centerLinkAddresses, pointLinkAddresses } from '../addresses/link-addresses.ts'
import { hostAddress, segmentText } from '../addresses/segments.ts'
import { type DocumentMember, type NetworkRows, namedMembers } from '../compile/rows.ts'
import {
  declaredLans,
  hasHost,
  hasPlace,
  isDialled,
  memberAddress,
  nodeSegments,
  serviceSegments,
} from '../compile/server-segments.ts'
import { centerLinkEnds } from '../members/links.ts'
import { blockingRow } from '../routing/prefix-rows.ts'

/* Segments of a network, and the inner addresses of its routers. */

/** Segments of its services and of the links between two routers. */
function innerSegments(network: NetworkRows): readonly string[] {
  const { settings, pointLinks = [], popNodes = [] } = network
  const members = namedMembers(network.members)
  const { center_link: twin } = settings
  return [
    ...members.filter(isCenter).flatMap((center) => Object.values(serviceSegments(center))),
    ...popNodes.flatMap((node) => Object.values(nodeSegments(network, node))),
    ...pointLinks.map(segmentText),
    ...(centerLinkEnds(twin, members) !== null && twin.gateway !== '' ? [segmentText(twin)] : []),
  ]
}

/**
 * Segments in which a diagnosis may have its destination. `isLookup`: it sends nothing, and may ask about segments that
 * the prefix rows deny.
 */
export function diagnosisSegments(network: NetworkRows, isLookup: boolean): readonly string[] {
  const hardware = network.members.filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  const declared = (isLookup ? hardware : namedMembers(hardware)).flatMap(declaredLans)
  const { prefix: rows } = network.settings
  return [...innerSegments(network), ...declared.filter((segment) => isLookup || blockingRow(rows, segment) === null)]
}

const isCenter = ({ memberType }: DocumentMember): boolean => memberType === 'center'

type Named = readonly [address: string, routerName: string]

/** Router by each inner address of the network. */
export function innerAddresses(network: NetworkRows): ReadonlyMap<string, string> {
  const hardware = namedMembers(network.members).filter(({ routerType }) => routerType === ROUTER_TYPE.hardware)
  return new Map([...ofCenters(hardware), ...ofNodes(network, hardware), ...ofPairs(network, hardware)])
}

/** A centre has the first address of its segment, and each point one of its own there. */
const ofCenters = (hardware: readonly DocumentMember[]): readonly Named[] =>
  hardware.filter(isCenter).flatMap((center) => {
    const { router } = serviceSegments(center)
    return hardware
      .filter((member) => member === center || (!isCenter(member) && hasHost(router, member.host)))
      .map((member) => [memberAddress(router, member, center), member.routerName] as const)
  })

const ofNodes = (network: NetworkRows, hardware: readonly DocumentMember[]): readonly Named[] =>
  (network.popNodes ?? []).flatMap((node) => {
    const { router } = nodeSegments(network, node)
    const served = hardware.filter((member) => isDialled(member, node) && hasPlace(network, member, node))
    return [
      [hostAddress(router, 1), node.routerName] as const,
      ...served.map((member) => [hostAddress(router, member.host), member.routerName] as const),
    ]
  })

/** Both ends of links between two points or two centres. */
function ofPairs({ settings, pointLinks = [] }: NetworkRows, hardware: readonly DocumentMember[]): readonly Named[] {
  const nameOf = (id: number) => hardware.find(({ routerId }) => routerId === id)?.routerName ?? ''
  const ends = centerLinkEnds(settings.center_link, hardware)
  const hardwareAddress = (center: DocumentMember) => hostAddress(serviceSegments(center).router, 1)
  const twins = ends && centerLinkAddresses(settings.center_link, ends, hardwareAddress)
  return [
    ...pointLinks.flatMap((link): Named[] => {
      const { client, server } = pointLinkAddresses(link)
      return [
        [client, nameOf(link.clientId)],
        [server, nameOf(link.serverId)],
      ]
    }),
    ...(ends && twins
      ? [[twins.client, ends.client.routerName] as const, [twins.server, ends.server.routerName] as const]
      : []),
  ]
}
