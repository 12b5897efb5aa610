import { type Violation, violation } from '#contract/kernel/result.ts'
import type { HostRange, HostRanges } from './host-ranges.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'

const sizeOf = ({ first, last }: HostRange): number => Math.max(0, last - first + 1)

/** Numbers that lie in one of the two. */
function sizeOfBoth(a: HostRange, b: HostRange): number {
  const shared = sizeOf({ first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) })
  return sizeOf(a) + sizeOf(b) - shared
}

/**
 * Segments have to hold the members that there are; the refusal names both numbers. Hardware and software have segments of
 * their own, but share the host numbers of the network.
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
