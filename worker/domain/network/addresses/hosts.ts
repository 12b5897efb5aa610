import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { ipNumber, sizeOfMask } from '#contract/kernel/ipv4.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { maskOf, serviceSegments } from '../compile/server-segments.ts'
import { DEFAULT_MEMBER_SETTINGS } from '../history/stored-settings.ts'
import { type MemberHost } from '../history/setting-change.ts'
import type { ChosenAddresses } from './member-segments.ts'
import { type Range, parseRange } from './segments.ts'

/* Host numbers of a network's members: ranges that fit its centres' segments, free numbers, and moves. */

/** All host numbers: 1 is the centre, and the last one of a /20 is broadcast. */
export const HOSTS = { first: 2, last: 4094 } as const

export type HostRanges = Readonly<Record<RouterType, Range>>

interface Center extends ChosenAddresses {
  readonly segmentIndex: number | null
}

/** Host numbers of a service: all of its segment but the centre's own, or those between the ends of its pool. */
function serviceHosts(center: Center, service: 'router' | 'software'): Range {
  const { gateway = DEFAULT_MEMBER_SETTINGS.gateway, pool = DEFAULT_MEMBER_SETTINGS.pool } = center
  const segment = serviceSegments({ segmentIndex: center.segmentIndex, settings: { gateway } })[service]
  const last = Math.min(HOSTS.last, sizeOfMask(maskOf(segment)) - 2)
  const ends = pool[service]
  const base = parseRange(segment)?.first
  if (ends === null || base === undefined) return { first: HOSTS.first, last }
  const hostOf = (address: string) => (ipNumber(address) ?? base) - base
  return { first: Math.max(HOSTS.first, hostOf(ends.start)), last: Math.min(last, hostOf(ends.end)) }
}

/** Host numbers that fit into the segments of all centres, by type of member. A member has one number in all of them. */
export function hostRanges(members: readonly (Center & { readonly memberType: 'center' | 'point' })[]): HostRanges {
  const centers = members.filter(({ memberType }) => memberType === 'center')
  const common = (service: 'router' | 'software'): Range => {
    const all = centers.map((center) => serviceHosts(center, service))
    return {
      first: Math.max(HOSTS.first, ...all.map(({ first }) => first)),
      last: Math.min(HOSTS.last, ...all.map(({ last }) => last)),
    }
  }
  return { [ROUTER_TYPE.hardware]: common('router'), [ROUTER_TYPE.software]: common('software') }
}

const sizeOf = ({ first, last }: Range): number => Math.max(0, last - first + 1)

function sizeOfBoth(a: Range, b: Range): number {
  return sizeOf(a) + sizeOf(b) - sizeOf(common(a, b))
}

/**
 * Segments must have room for all members; the refusal names both numbers. Hardware and software have segments of their
 * own, but share the host numbers of the network.
 */
export function checkCapacity(
  ranges: HostRanges,
  members: readonly { readonly routerType: RouterType }[],
  field = 'mask',
): Violation | null {
  const [hardware, software] = [ranges[ROUTER_TYPE.hardware], ranges[ROUTER_TYPE.software]]
  const count = (type: RouterType) => members.filter(({ routerType }) => routerType === type).length
  const full = [
    { hosts: sizeOf(hardware), members: count(ROUTER_TYPE.hardware) },
    { hosts: sizeOf(software), members: count(ROUTER_TYPE.software) },
    { hosts: sizeOfBoth(hardware, software), members: members.length },
  ].find((one) => one.members > one.hosts)
  return full ? violation('MASK_TOO_SMALL', full, field) : null
}

interface PlacedMember extends Center {
  readonly memberType: 'center' | 'point'
  readonly routerType: RouterType
}

/** Like checkCapacity; names the address ranges of the centres where their segments alone would have room. */
export function checkRoom(members: readonly PlacedMember[], field = 'mask'): Violation | null {
  const refused = checkCapacity(hostRanges(members), members, field)
  const inSegments = hostRanges(members.map((member) => ({ ...member, pool: undefined })))
  if (refused === null || checkCapacity(inSegments, members) !== null) return refused
  return violation('POOL_TOO_SMALL', refused.params, field.replace(/mask$/, 'start'))
}

const ALL: HostRanges = { 1: HOSTS, 2: HOSTS }

/** Hosts that fit into the segments of every POP node of a network, and the members that dial a node. */
export interface NodeHosts {
  readonly hosts: HostRanges
  readonly isDialling: (routerId: number) => boolean
}
export const NO_NODES: NodeHosts = { hosts: ALL, isDialling: () => false }

type Used = ReadonlySet<number | null | undefined>

/** Yields numbers that are not in use, in their order; undefined when none is left. */
export function* free(among: readonly number[], used: Used) {
  for (const n of among) if (!used.has(n)) yield n
  return undefined
}

const isIn = ({ first, last }: Range, host: number): boolean => host >= first && host <= last

/**
 * Free hosts for one type of member: ascending for hardware, descending for software. Numbers that only this type can use
 * come first; among these, numbers that fit at every POP node.
 */
export function freeHosts(type: RouterType, used: Used, ranges: HostRanges, nodes: HostRanges = ALL) {
  const { first, last } = ranges[type]
  const ascending = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
  const [all, other] =
    type === ROUTER_TYPE.hardware
      ? [ascending, ranges[ROUTER_TYPE.software]]
      : [ascending.toReversed(), ranges[ROUTER_TYPE.hardware]]
  const [own, shared] = [all.filter((host) => !isIn(other, host)), all.filter((host) => isIn(other, host))]
  const placed = (host: number) => isIn(nodes[type], host)
  const order = [own, shared].flatMap((part) => [...part.filter(placed), ...part.filter((host) => !placed(host))])
  return free(order, used)
}

interface Hosted extends MemberHost {
  readonly routerType: RouterType
}

/**
 * New hosts of members whose present one does not fit into the ranges, or into the segments of a POP node that they dial.
 * If that fails, all members move; if that fails too, POP nodes are ignored (checkPopHosts). Null if the ranges are too
 * small (checkCapacity).
 */
export function packHosts(
  members: readonly Hosted[],
  ranges: HostRanges,
  nodes: NodeHosts = NO_NODES,
): readonly MemberHost[] | null {
  const placed = { 1: common(ranges[1], nodes.hosts[1]), 2: common(ranges[2], nodes.hosts[2]) }
  const dialling = members.filter(({ routerId }) => nodes.isDialling(routerId))
  const others = members.filter(({ routerId }) => !nodes.isDialling(routerId))
  const fits =
    (of: HostRanges) =>
    ({ routerType, host }: Hosted) =>
      isIn(of[routerType], host)
  const staying = new Set([...dialling.filter(fits(placed)), ...others.filter(fits(ranges))])
  const isMoving = (m: Hosted) => !staying.has(m)
  const attempt = (mustMove: (m: Hosted) => boolean, rest: readonly Hosted[]) => {
    const first = assignTo(dialling.filter(mustMove), rest, placed)
    const then = first && assignTo(others.filter(mustMove), [...rest, ...first], ranges)
    return then && [...first, ...then]
  }
  const moved = attempt(isMoving, [...staying]) ?? attempt(() => true, [])
  const old = new Map(members.map(({ routerId, host }) => [routerId, host]))
  if (moved) return moved.filter(({ routerId, host }) => old.get(routerId) !== host)
  return dialling.length === 0 ? null : packHosts(members, ranges)
}

const common = (a: Range, b: Range): Range => ({
  first: Math.max(a.first, b.first),
  last: Math.min(a.last, b.last),
})

/** Null if there are not enough hosts. */
function assignTo(
  moving: readonly Hosted[],
  staying: readonly { readonly host: number }[],
  ranges: HostRanges,
): MemberHost[] | null {
  const used = new Set(staying.map(({ host }) => host))
  const spare = { 1: freeHosts(1, used, ranges), 2: freeHosts(2, used, ranges) }
  const moved: MemberHost[] = []
  for (const { routerId, routerType } of moving) {
    const host = spare[routerType].next().value
    if (host === undefined) return null
    used.add(host)
    moved.push({ routerId, host })
  }
  return moved
}

/** Temporary numbers for moving members, needed while another moving member still holds a new number. */
export function parkHosts(
  moves: readonly MemberHost[],
  members: readonly { readonly host: number }[],
): readonly MemberHost[] {
  const held = new Set(members.map(({ host }) => host))
  if (!moves.some(({ host }) => held.has(host))) return []
  const used = new Set([...held, ...moves.map(({ host }) => host)])
  const spare = freeHosts(ROUTER_TYPE.software, used, ALL)
  return moves.flatMap(({ routerId }) => {
    const host = spare.next().value
    return host === undefined ? [] : [{ routerId, host }]
  })
}
