import { DIAL_RETRY } from '#contract/client/limits.ts'
import type { ErrorKey } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { type MemberState, checkMember } from './member.ts'

/* Decides whether a software member may dial a network, by its token, and whether one that is refused tries again. */

/** Account of a software member in the document of the router that is dialled. */
export interface DialAccount {
  readonly id: number
  readonly credential_version: number
}

/** Claims of the token that was presented. */
interface Claims {
  readonly memberId: number
  readonly credentialVersion: number
  readonly networkNumber: string
  readonly expiresAt: number
}

/** True if the token allows this dial. `account` is the dialling name in the router's document, null if it is not there. */
export const isDialAllowed = (
  claims: Claims,
  account: DialAccount | null,
  networkNumber: string,
  now: number,
): boolean =>
  claims.memberId === account?.id &&
  claims.credentialVersion === account.credential_version &&
  claims.networkNumber === networkNumber &&
  claims.expiresAt > now

/** Stored state of the member that a token names. */
export interface DialMember extends MemberState {
  readonly credentialVersion: number
  readonly isInNetwork: boolean
}

/** Reason for which a token that this service made does not allow a dial. `member` is null if it was deleted. */
export function checkToken(claims: Claims, member: DialMember | null, networkNumber: string, now: number): Violation {
  if (!member) return violation('DIAL_TOKEN_REVOKED')
  const refused = checkMember(member)
  if (refused) return refused
  if (claims.credentialVersion !== member.credentialVersion) return violation('DIAL_TOKEN_REVOKED')
  if (claims.networkNumber !== networkNumber || !member.isInNetwork) return violation('DIAL_NOT_MEMBER')
  if (claims.expiresAt <= now) return violation('DIAL_TOKEN_EXPIRED')
  return violation('DIAL_PENDING') // the router's document does not have the member yet
}

interface Seconds {
  readonly from: number
  readonly to: number
}

/** Causes that pass by themselves, with the seconds between two tries. All others end the dial. */
const PASSING: ReadonlyMap<string, Seconds> = new Map<ErrorKey, Seconds>([
  ['DIAL_PENDING', DIAL_RETRY.pendingS],
  ['DIAL_BUSY', DIAL_RETRY.busyS],
  ['DIAL_AWAY', DIAL_RETRY.awayS],
])

/**
 * Seconds after which a refused client dials again; null if that is of no use.
 * @param cause key of the catalogue
 * @param n number of the client at its server: those that are refused together come back at different seconds.
 */
export function dialRetryS(cause: string, n: number): number | null {
  const seconds = PASSING.get(cause)
  return seconds === undefined ? null : seconds.from + (n % (seconds.to - seconds.from + 1))
}
