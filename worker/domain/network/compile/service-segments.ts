import type { MemberSettings } from '#contract/network/settings.ts'
import { sizeOfMask } from '#contract/kernel/ipv4.ts'
import { defaultSegments, hostAddress, parseRange, segmentText, toNetwork } from '../addresses/segments.ts'
import { sortSegments } from './order.ts'
import type { DocumentMember } from './rows.ts'

/** Segments of a centre's two services: those that were chosen, or else the default ones of its subnet index. */
export function serviceSegments({
  segmentIndex,
  settings,
}: Pick<DocumentMember, 'segmentIndex'> & { readonly settings: Pick<MemberSettings, 'gateway'> }): {
  readonly router: string
  readonly software: string
} {
  const { hardware, software } = defaultSegments(segmentIndex ?? 0)
  const { gateway } = settings
  return {
    router: gateway.router ? segmentText(gateway.router) : hardware,
    software: gateway.software ? segmentText(gateway.software) : software,
  }
}

export const maskOf = (segment: string): number => Number(segment.split('/')[1])

/** True when the segment has an address of this host number other than the broadcast address. */
export const hasHost = (segment: string, host: number): boolean => host < sizeOfMask(maskOf(segment)) - 1

/** A centre holds the first address of its segments; a member that of its host number. */
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

/** Segments that several routers declare, each once. */
export const declaredByAll = (members: readonly Declared[]): string[] =>
  sortSegments(
    members.flatMap(({ lans, staticRoutes }) => [...lans, ...staticRoutes.map(({ prefix }) => prefix)].map(toNetwork)),
  )
