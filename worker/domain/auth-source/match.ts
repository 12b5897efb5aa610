import type { VendorIdentity } from '#contract/auth-source/vendor.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/** A number as members have it: digits, the dial code apart. */
export interface MatchedPhone {
  readonly areaCode: string
  readonly phone: string
}

/** Null where the vendor told no number. */
export function phoneOf({ areaCode, phone }: Pick<VendorIdentity, 'areaCode' | 'phone'>): MatchedPhone | null {
  const digits = { areaCode: areaCode.replace(/\D/g, ''), phone: phone.replace(/\D/g, '') }
  return digits.areaCode === '' || digits.phone === '' ? null : digits
}

/** A tenant that is recorded counts; before the first sign-in there is none. */
export const checkTenant = (recorded: string, { tenant, userId }: VendorIdentity): Violation | null =>
  userId === '' || (recorded !== '' && tenant !== recorded) ? violation('AUTH_MEMBER_OUTSIDER') : null

export type Match<M> = { readonly member: M } | { readonly refused: Violation } | 'phone_needed'

/**
 * The one enabled member that a person is: by the stored binding, else by the phone.
 *
 * @param bound enabled members that a binding names
 * @param byPhone enabled members of the account that have the phone; two are enough to tell that there are several
 */
export function matchMember<M>(phone: MatchedPhone | null, bound: readonly M[], byPhone: readonly M[]): Match<M> {
  const [first] = bound
  if (first !== undefined) return { member: first }
  if (phone === null) return 'phone_needed'
  const [found, ...others] = byPhone
  if (found === undefined) return { refused: violation('AUTH_MEMBER_NONE') }
  return others.length > 0 ? { refused: violation('AUTH_MEMBER_MANY') } : { member: found }
}
