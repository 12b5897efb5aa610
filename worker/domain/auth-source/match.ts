import type { VendorIdentity } from '#contract/auth-source/vendor.ts'
import { dialCodeText, phoneText } from '#contract/kernel/input/phone.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'

/* Finds the software member of a person who signed in at a vendor: WeCom, Feishu or DingTalk. */

/** Phone number in the form of members: digits, with a separate dial code. */
export type MatchedPhone = Pick<VendorIdentity, 'areaCode' | 'phone'>

/** Null if the vendor gave no number. */
export function phoneOf({ areaCode, phone }: MatchedPhone): MatchedPhone | null {
  const dialCode = dialCodeText(areaCode)
  const number = phoneText(dialCode, phone)
  return dialCode === '' || !/\d/.test(number) ? null : { areaCode: dialCode, phone: number }
}

/** Refuses a person of another tenant than the recorded one. Before the first sign-in no tenant is recorded. */
export const checkTenant = (recorded: string, { tenant, userId }: VendorIdentity): Violation | null =>
  userId === '' || (recorded !== '' && tenant !== recorded) ? violation('AUTH_MEMBER_OUTSIDER') : null

export type Match<M> = { readonly member: M } | { readonly refused: Violation } | 'phone_needed'

/**
 * Finds the person's one enabled member by the stored binding, else by the phone.
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
