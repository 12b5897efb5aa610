import { type Violation, violation } from '../../contract/result.ts'
import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import type { StoredMember } from './membership.ts'
import { SUBNET_INDEXES, reservedSubnetIndexes } from './segments.ts'

/** Host numbers a member may hold in a /20: 1 is the centre, the last is broadcast. */
export const HOSTS = { first: 2, last: 4094 } as const

/** A member with assigned addresses. */
export interface AddressedMember extends StoredMember {
  readonly host: number
}

interface TakenAddresses {
  /** Subnet indexes of the whole account, those of `before` included. */
  readonly usedIndexes: readonly number[]
  /** Segments that routers of the network learn elsewhere: no new subnet may overlap them. */
  readonly neighborLans: readonly string[]
  /** Everything that devices of the account report: avoided as long as there is a choice. */
  readonly reported: readonly string[]
}

/**
 * Gives each new member the smallest free host (software, which dials into another segment, the largest) and each new centre
 * the smallest free subnet index; remaining members keep theirs. Hosts are unique in the network, subnet indexes in the
 * account.
 */
export function assignAddresses(
  before: readonly StoredMember[],
  after: readonly StoredMember[],
  { usedIndexes, neighborLans, reported }: TakenAddresses,
): { members: readonly AddressedMember[]; refused: Violation | null } {
  const old = new Map(before.map((m) => [m.routerId, m]))
  const currentIndex = (m: StoredMember) =>
    m.memberType === 'center' ? (old.get(m.routerId)?.segmentIndex ?? null) : null
  const kept = new Set(after.map(currentIndex))
  const freed = new Set(before.map((m) => m.segmentIndex).filter((index) => !kept.has(index)))
  const taken = new Set([
    ...usedIndexes.filter((index) => !freed.has(index)),
    ...reservedSubnetIndexes([...neighborLans, ...after.flatMap((m) => [...m.lans, ...m.wans])]),
  ])
  const avoided = new Set(reservedSubnetIndexes(reported).filter((index) => !taken.has(index)))
  const usedHosts = new Set(after.map((m) => old.get(m.routerId)?.host))
  const hosts = {
    [ROUTER_TYPE.hardware]: freeHosts(ROUTER_TYPE.hardware, usedHosts),
    [ROUTER_TYPE.software]: freeHosts(ROUTER_TYPE.software, usedHosts),
  }
  const indexes = free([...ALL_INDEXES.filter((index) => !avoided.has(index)), ...avoided], taken)
  const members: AddressedMember[] = []
  for (const member of after) {
    const host = old.get(member.routerId)?.host ?? hosts[member.routerType].next().value
    const segmentIndex = member.memberType === 'point' ? null : (currentIndex(member) ?? indexes.next().value)
    if (host === undefined || segmentIndex === undefined) return { members, refused: violation('SEGMENTS_USED_UP') }
    members.push({ ...member, host, segmentIndex })
  }
  return { members, refused: null }
}

/**
 * Subnet indexes for so many more servers (nodes of POP areas): none in use, none whose segments one of these overlaps. Fewer
 * where there are not enough.
 */
export const freeSubnetIndexes = (
  count: number,
  { usedIndexes, reported }: Pick<TakenAddresses, 'usedIndexes' | 'reported'>,
): readonly number[] => {
  const taken = new Set([...usedIndexes, ...reservedSubnetIndexes(reported)])
  return ALL_INDEXES.filter((index) => !taken.has(index)).slice(0, count)
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)
const HOST_NUMBERS = numbers(HOSTS.first, HOSTS.last)
const ALL_INDEXES = numbers(0, SUBNET_INDEXES - 1)

/** The host of one more member of this kind, beside those that are in use; undefined where there is none left. */
export const freeHost = (used: readonly number[], type: RouterType): number | undefined =>
  freeHosts(type, new Set(used)).next().value

const freeHosts = (type: RouterType, used: Used) =>
  free(type === ROUTER_TYPE.hardware ? HOST_NUMBERS : HOST_NUMBERS.toReversed(), used)

type Used = ReadonlySet<number | null | undefined>

/** Numbers that are not in use, in their order; undefined once there are no more. */
function* free(among: readonly number[], used: Used) {
  for (const n of among) if (!used.has(n)) yield n
  return undefined
}
