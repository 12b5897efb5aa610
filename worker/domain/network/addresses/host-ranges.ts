import { ipNumber, sizeOfMask } from '#contract/kernel/ipv4.ts'
import { maskOf, serviceSegments } from '../compile/service-segments.ts'
import type { ChosenAddresses } from './member-segment-list.ts'
import { parseRange } from './segments.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

/** Host numbers that there are: 1 is the centre, and the last of a /20 is broadcast. */
export const HOSTS = { first: 2, last: 4094 } as const

export interface HostRange {
  readonly first: number
  readonly last: number
}
export type HostRanges = Readonly<Record<RouterType, HostRange>>

interface Center extends ChosenAddresses {
  readonly segmentIndex: number | null
}

/** Host numbers of a service: all of its segment but the centre's own, or those between the ends of its pool. */
function serviceHosts(center: Center, service: 'router' | 'software'): HostRange {
  const { gateway, pool } = { ...DEFAULT_MEMBER_SETTINGS, ...withoutUndefined(center) }
  const segment = serviceSegments({ segmentIndex: center.segmentIndex, settings: { gateway } })[service]
  const last = Math.min(HOSTS.last, sizeOfMask(maskOf(segment)) - 2)
  const ends = pool[service]
  const base = parseRange(segment)?.first
  if (ends === null || base === undefined) return { first: HOSTS.first, last }
  const hostOf = (address: string) => (ipNumber(address) ?? base) - base
  return { first: Math.max(HOSTS.first, hostOf(ends.start)), last: Math.min(last, hostOf(ends.end)) }
}

const withoutUndefined = ({ gateway, pool }: ChosenAddresses) => ({
  ...(gateway && { gateway }),
  ...(pool && { pool }),
})

/** A member has one host number in the segments of all centres: those that fit into each, by the kind of member. */
export function hostRanges(members: readonly (Center & { readonly memberType: 'center' | 'point' })[]): HostRanges {
  const centers = members.filter(({ memberType }) => memberType === 'center')
  const common = (service: 'router' | 'software'): HostRange => {
    const all = centers.map((center) => serviceHosts(center, service))
    return {
      first: Math.max(HOSTS.first, ...all.map(({ first }) => first)),
      last: Math.min(HOSTS.last, ...all.map(({ last }) => last)),
    }
  }
  return { [ROUTER_TYPE.hardware]: common('router'), [ROUTER_TYPE.software]: common('software') }
}
