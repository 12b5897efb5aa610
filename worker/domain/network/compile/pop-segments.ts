import type { SegmentField } from '#contract/network/fields.ts'
import { sizeOfMask } from '#contract/kernel/ipv4.ts'
import { defaultSegments, hostAddress, segmentText } from '../addresses/segments.ts'
import { compareText } from './order.ts'
import type { DocumentMember, NetworkView, PopNode } from './rows.ts'
import { hasHost } from './service-segments.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** A node as far as its segments go. */
type PlacedNode = Pick<PopNode, 'routerId' | 'segmentIndex'>

interface Source {
  readonly popNodes?: readonly PlacedNode[] | undefined
  readonly settings: Pick<NetworkView['settings'], 'ip_pool'>
}

/** By their subnet indexes: the order in which they share what was chosen. */
export const sortNodes = <T extends PlacedNode>({ popNodes = [] }: { readonly popNodes?: readonly T[] | undefined }) =>
  popNodes.toSorted((a, b) => a.segmentIndex - b.segmentIndex)

/** Segments of a node: equal parts of those that were chosen for POP, or else the default ones of its subnet index. */
export function nodeSegments(
  network: Source,
  node: PlacedNode,
): { readonly router: string; readonly software: string } {
  const { pop, pop_software: apps } = network.settings.ip_pool
  const { hardware, software } = defaultSegments(node.segmentIndex)
  const nodes = sortNodes(network)
  const place = nodes.findIndex(({ routerId }) => routerId === node.routerId)
  const part = (chosen: SegmentField) => toPart(chosen, place, nodes.length)
  return { router: pop ? part(pop) : hardware, software: apps ? part(apps) : software }
}

/** Part of a segment at this place, of so many equal ones; their number is a power of two. */
export function toPart(chosen: SegmentField, place: number, count: number): string {
  const length = chosen.mask + Math.ceil(Math.log2(Math.max(1, count)))
  return `${hostAddress(segmentText(chosen), place * sizeOfMask(length))}/${length}`
}

/** True when the node serves the member's main or backup area. */
export const isDialled = (
  { settings: { ov } }: Pick<DocumentMember, 'settings'>,
  { areaId }: Pick<PopNode, 'areaId'>,
): boolean => ov.main === areaId || ov.backup === areaId

/** Nodes that a member dials, by name. */
export const nodesOf = (
  { popNodes = [] }: Pick<NetworkView, 'popNodes'>,
  member: Pick<DocumentMember, 'settings'>,
): readonly PopNode[] =>
  popNodes.filter((node) => isDialled(member, node)).toSorted((a, b) => compareText(a.routerName, b.routerName))

/** True when the node's segment for the member's kind has an address for its host number. Without one there is no link. */
export const hasPlace = (
  network: Source,
  { routerType, host }: Pick<DocumentMember, 'routerType' | 'host'>,
  node: PlacedNode,
): boolean => hasHost(nodeSegments(network, node)[routerType === ROUTER_TYPE.software ? 'software' : 'router'], host)
