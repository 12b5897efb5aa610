import { type Violation, violation } from '#contract/kernel/result.ts'
import { free, freeHosts, type HostRanges, hostRanges, checkRoom } from './hosts.ts'
import { segmentsOf } from './member-segments.ts'
import type { StoredMember } from '../members/membership.ts'
import { indexesOfPorts } from './ports.ts'
import { SUBNET_INDEXES, reservedSubnetIndexes } from './segments.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Assigns host numbers and subnet indexes to the members of a network. */

export interface AddressedMember extends StoredMember {
  readonly host: number
}

interface TakenAddresses {
  /** Subnet indexes of the whole account, those of `before` included. */
  readonly usedIndexes: readonly number[]
  /** Segments that routers of the network learn elsewhere: no new subnet may overlap them. */
  readonly neighborSegments: readonly string[]
  /** Segments that devices of the account report or persons chose; avoided as long as there is a choice. */
  readonly reported: readonly string[]
  /** Ports that were chosen in the account. */
  readonly ports: readonly number[]
  /** Hosts that fit into the segments of every POP node of the network; preferred. Absent: all. */
  readonly nodeHosts?: HostRanges
}

/**
 * Gives each new member the smallest free host that fits into the segments of all centres. Software dials into other
 * segments and gets the largest. Each new centre gets the smallest free subnet index. Other members keep theirs. Hosts are
 * unique in the network, subnet indexes in the account.
 */
export function assignAddresses(
  before: readonly StoredMember[],
  after: readonly StoredMember[],
  { usedIndexes, neighborSegments, reported, ports, nodeHosts }: TakenAddresses,
): { members: readonly AddressedMember[]; refused: Violation | null } {
  const old = new Map(before.map((m) => [m.routerId, m]))
  const currentIndex = (m: StoredMember) =>
    m.memberType === 'center' ? (old.get(m.routerId)?.segmentIndex ?? null) : null
  const kept = new Set(after.map(currentIndex))
  const freed = new Set(before.map((m) => m.segmentIndex).filter((index) => !kept.has(index)))
  const taken = new Set([
    ...indexesOfPorts(ports),
    ...usedIndexes.filter((index) => !freed.has(index)),
    ...reservedSubnetIndexes([...neighborSegments, ...after.flatMap((m) => [...segmentsOf(m), ...m.wans])]),
  ])
  const avoided = new Set(reservedSubnetIndexes(reported).filter((index) => !taken.has(index)))
  const usedHosts = new Set(after.map((m) => old.get(m.routerId)?.host))
  const ranges = hostRanges(after)
  const hosts = {
    [ROUTER_TYPE.hardware]: freeHosts(ROUTER_TYPE.hardware, usedHosts, ranges, nodeHosts),
    [ROUTER_TYPE.software]: freeHosts(ROUTER_TYPE.software, usedHosts, ranges, nodeHosts),
  }
  const indexes = free([...ALL_INDEXES.filter((index) => !avoided.has(index)), ...avoided], taken)
  const members: AddressedMember[] = []
  for (const member of after) {
    const host = old.get(member.routerId)?.host ?? hosts[member.routerType].next().value
    const segmentIndex = member.memberType === 'point' ? null : (currentIndex(member) ?? indexes.next().value)
    if (segmentIndex === undefined) return { members, refused: violation('SEGMENTS_USED_UP') }
    if (host === undefined)
      return { members, refused: checkRoom(after, member.memberType) ?? violation('SEGMENTS_USED_UP') }
    members.push({ ...member, host, segmentIndex })
  }
  return { members, refused: null }
}

const ALL_INDEXES = Array.from({ length: SUBNET_INDEXES }, (_, index) => index)

/** At most `count` free subnet indexes for servers (nodes of POP areas), whose segments overlap no reported one. */
export const freeSubnetIndexes = (
  count: number,
  { usedIndexes, reported }: Pick<TakenAddresses, 'usedIndexes' | 'reported'>,
): readonly number[] => {
  const taken = new Set([...usedIndexes, ...reservedSubnetIndexes(reported)])
  return ALL_INDEXES.filter((index) => !taken.has(index)).slice(0, count)
}
