import type { MemberSettings } from '#contract/network/settings.ts'
import { sizeOfMask } from '#contract/kernel/ipv4.ts'
import type { SegmentField } from '#contract/network/fields.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import {
  defaultSegments,
  hostAddress,
  parseRange,
  segmentText,
  toNetwork,
  sortSegments,
} from '../addresses/segments.ts'
import { compareText } from '#contract/kernel/compare.ts'
import type { DocumentMember, NetworkView, PopNode } from './rows.ts'

/* Servers that members dial: segments of the services of centres and of POP nodes, and the POP nodes of a member. */

type ServingCenter = Pick<DocumentMember, 'segmentIndex'> & { readonly settings: Pick<MemberSettings, 'gateway'> }

/** Segments of a centre's two services: the chosen ones, or else the default ones of its subnet index. */
export function serviceSegments({ segmentIndex, settings: { gateway } }: ServingCenter) {
  const { hardware, software } = defaultSegments(segmentIndex ?? 0)
  return {
    router: gateway.router ? segmentText(gateway.router) : hardware,
    software: gateway.software ? segmentText(gateway.software) : software,
  }
}

export const maskOf = (segment: string): number => Number(segment.split('/')[1])

/** True when the segment has an address of this host number other than the broadcast address. */
export const hasHost = (segment: string, host: number): boolean => host < sizeOfMask(maskOf(segment)) - 1

/** A centre has the first address of its segments, a member the one of its host number. */
export const memberAddress = (segment: string, member: DocumentMember, center: DocumentMember): string =>
  hostAddress(segment, member === center ? 1 : member.host)

/** Address range that a service assigns: the chosen one, or all addresses after the centre's own. */
export function toPool(segment: string, ends: { readonly start: string; readonly end: string } | null) {
  if (ends) return { first: ends.start, last: ends.end }
  const range = parseRange(segment)
  if (!range) throw new Error(`no segment: ${segment}`)
  return { first: hostAddress(segment, 2), last: hostAddress(segment, range.last - range.first - 1) }
}

type Declared = Pick<DocumentMember, 'lans' | 'staticRoutes'>

/** Segments that a router declares, on its interfaces and behind next hops. */
export const declaredLans = (member: Declared): string[] => declaredByAll([member])

export const declaredByAll = (members: readonly Declared[]): string[] =>
  sortSegments(
    members.flatMap(({ lans, staticRoutes }) => [...lans, ...staticRoutes.map(({ prefix }) => prefix)].map(toNetwork)),
  )

/** Columns of a node that decide its segments. */
type PlacedNode = Pick<PopNode, 'routerId' | 'segmentIndex'>

interface Source {
  readonly popNodes?: readonly PlacedNode[] | undefined
  readonly settings: Pick<NetworkView['settings'], 'ip_pool'>
}

/** Sorts nodes by subnet index, which is the order of their parts of a chosen segment. */
export const sortNodes = <T extends PlacedNode>({ popNodes = [] }: { readonly popNodes?: readonly T[] | undefined }) =>
  popNodes.toSorted((a, b) => a.segmentIndex - b.segmentIndex)

/** Segments of a node: its part of those chosen for POP, or else the default ones of its subnet index. */
export function nodeSegments(network: Source, node: PlacedNode) {
  const { pop, pop_software: apps } = network.settings.ip_pool
  const { hardware, software } = defaultSegments(node.segmentIndex)
  const nodes = sortNodes(network)
  const place = nodes.findIndex(({ routerId }) => routerId === node.routerId)
  const part = (chosen: SegmentField) => toPart(chosen, place, nodes.length)
  return { router: pop ? part(pop) : hardware, software: apps ? part(apps) : software }
}

/** Part of a segment at index `place`, divided among `count` nodes. The number of equal parts is a power of two. */
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
