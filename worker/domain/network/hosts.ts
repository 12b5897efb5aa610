import { ROUTER_TYPE, type RouterType } from '../../contract/limits.ts'
import { HOSTS, type HostRange, type HostRanges } from './host-ranges.ts'
import type { MemberHost } from './setting-change.ts'

type Used = ReadonlySet<number | null | undefined>

/** Numbers that are not in use, in their order; undefined once there are no more. */
export function* free(among: readonly number[], used: Used) {
  for (const n of among) if (!used.has(n)) yield n
  return undefined
}

const isIn = ({ first, last }: HostRange, host: number): boolean => host >= first && host <= last

/** Free hosts of one kind of member: hardware from the smallest on, software from the largest, what only it can use first. */
export function freeHosts(type: RouterType, used: Used, ranges: HostRanges) {
  const { first, last } = ranges[type]
  const ascending = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
  const [all, other] =
    type === ROUTER_TYPE.hardware
      ? [ascending, ranges[ROUTER_TYPE.software]]
      : [ascending.toReversed(), ranges[ROUTER_TYPE.hardware]]
  return free([...all.filter((host) => !isIn(other, host)), ...all.filter((host) => isIn(other, host))], used)
}

/** The host of one more member of this kind, beside those that are in use; undefined where there is none left. */
export const freeHost = (used: readonly number[], type: RouterType, ranges: HostRanges): number | undefined =>
  freeHosts(type, new Set(used), ranges).next().value

interface Hosted {
  readonly routerId: number
  readonly routerType: RouterType
  readonly host: number
}

/**
 * New hosts of the members whose own does not fit into these ranges; where that does not do, of all that have to move. Null
 * where the ranges cannot hold them (capacity.ts).
 */
export function packHosts(members: readonly Hosted[], ranges: HostRanges): readonly MemberHost[] | null {
  const fits = ({ routerType, host }: Hosted) => isIn(ranges[routerType], host)
  const outside = members.filter((m) => !fits(m))
  return assignTo(outside, members.filter(fits), ranges) ?? assignTo(members, [], ranges)
}

/** Only hosts that differ from those that the members have. */
function assignTo(moving: readonly Hosted[], staying: readonly Hosted[], ranges: HostRanges): MemberHost[] | null {
  const used = new Set(staying.map(({ host }) => host))
  const spare = { 1: freeHosts(1, used, ranges), 2: freeHosts(2, used, ranges) }
  const moved: MemberHost[] = []
  for (const { routerId, routerType, host: old } of moving) {
    const host = spare[routerType].next().value
    if (host === undefined) return null
    used.add(host)
    if (host !== old) moved.push({ routerId, host })
  }
  return moved
}

/** Numbers to wait at for members whose new one another member has until it has moved itself. */
export function parkHosts(
  moves: readonly MemberHost[],
  members: readonly { readonly host: number }[],
): readonly MemberHost[] {
  const held = new Set(members.map(({ host }) => host))
  if (!moves.some(({ host }) => held.has(host))) return []
  const used = new Set([...held, ...moves.map(({ host }) => host)])
  const spare = freeHosts(ROUTER_TYPE.software, used, { 1: HOSTS, 2: HOSTS })
  return moves.flatMap(({ routerId }) => {
    const host = spare.next().value
    return host === undefined ? [] : [{ routerId, host }]
  })
}
