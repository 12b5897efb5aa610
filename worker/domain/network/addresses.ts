import { type Violation, violation } from '../../contract/errors.ts'
import type { StoredMember } from './membership.ts'
import { SUBNET_INDEXES, reservedSubnetIndexes } from './segments.ts'

/** Host numbers a member may hold in a /20: 1 is the centre, the last is broadcast. */
export const HOSTS = { first: 2, last: 4094 } as const

/** A member with assigned addresses. */
export interface AddressedMember extends StoredMember {
  readonly host: number
}

/**
 * Gives each new member the smallest free host and each new centre the smallest free subnet index; remaining members keep
 * theirs. Hosts are unique in the network, subnet indexes in the account.
 *
 * @param usedIndexes subnet indexes of the whole account, those of `before` included.
 */
export function assignAddresses(
  before: readonly StoredMember[],
  after: readonly StoredMember[],
  usedIndexes: readonly number[],
): { members: readonly AddressedMember[]; refused: Violation | null } {
  const old = new Map(before.map((m) => [m.routerId, m]))
  const currentIndex = (m: StoredMember) =>
    m.memberType === 'center' ? (old.get(m.routerId)?.segmentIndex ?? null) : null
  const kept = new Set(after.map(currentIndex))
  const freed = new Set(before.map((m) => m.segmentIndex).filter((index) => !kept.has(index)))
  const isTaken = new Set([
    ...usedIndexes.filter((index) => !freed.has(index)),
    ...reservedSubnetIndexes(after.flatMap((m) => m.lans)),
  ])
  const hosts = freeNumbers(HOSTS.first, HOSTS.last, new Set(after.map((m) => old.get(m.routerId)?.host)))
  const indexes = freeNumbers(0, SUBNET_INDEXES - 1, isTaken)
  const members: AddressedMember[] = []
  for (const member of after) {
    const host = old.get(member.routerId)?.host ?? hosts.next().value
    const segmentIndex = member.memberType === 'point' ? null : (currentIndex(member) ?? indexes.next().value)
    if (host === undefined || segmentIndex === undefined) return { members, refused: violation('SEGMENTS_USED_UP') }
    members.push({ ...member, host, segmentIndex })
  }
  return { members, refused: null }
}

/** Numbers of the range that are not in use, smallest first; undefined once there are no more. */
function* freeNumbers(first: number, last: number, used: ReadonlySet<number | null | undefined>) {
  for (let n = first; n <= last; n++) if (!used.has(n)) yield n
  return undefined
}
