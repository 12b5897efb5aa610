import { type Violation, violation } from '../../contract/result.ts'
import { sizeOfMask } from '../../contract/ipv4.ts'

/** Addresses of a segment that members may hold: not its number, the centre's own and the broadcast address. */
export const hostsOfMask = (mask: number): number => Math.max(0, sizeOfMask(mask) - 3)

/** A segment has to hold the members that there are; the refusal names both numbers. */
export function checkCapacity(mask: number, members: number): Violation | null {
  const hosts = hostsOfMask(mask)
  return members <= hosts ? null : violation('MASK_TOO_SMALL', { hosts, members })
}

/** Members whose host number lies outside the segment: they get new addresses where hosts are packed anew. */
export const hostsOutside = (mask: number, hosts: readonly number[]): readonly number[] =>
  hosts.filter((host) => host > hostsOfMask(mask) + 1)
