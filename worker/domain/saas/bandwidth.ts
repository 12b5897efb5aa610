import { type Violation, violation } from '#contract/kernel/result.ts'

/* Bandwidth of SaaS devices (SaaS加速): the value in force, its next change, and checks of an edit. */

/** Bandwidth columns of a SaaS device: Mbit/s, and times in epoch milliseconds with exclusive ends. */
export interface BandwidthTerm {
  readonly bandwidth: number
  readonly expireAt: number
  readonly tempBandwidth: number | null
  readonly tempStartAt: number | null
  readonly tempExpireAt: number | null
}

type Joined = { readonly [K in keyof BandwidthTerm]: BandwidthTerm[K] | null }

/** Term from columns that are joined to a router; null if it is no SaaS device. */
export function toTerm({
  bandwidth,
  expireAt,
  tempBandwidth,
  tempStartAt,
  tempExpireAt,
}: Joined): BandwidthTerm | null {
  if (bandwidth === null || expireAt === null) return null
  return { bandwidth, expireAt, tempBandwidth, tempStartAt, tempExpireAt }
}

const isExpired = ({ expireAt }: Pick<BandwidthTerm, 'expireAt'>, now: number): boolean => expireAt <= now

const isTemporary = ({ tempStartAt, tempExpireAt }: BandwidthTerm, now: number): boolean =>
  tempStartAt !== null && tempExpireAt !== null && tempStartAt <= now && now < tempExpireAt

/** The temporary value in its time, else the ordinary one; 0 (off) after the expiry. */
export function bandwidthInForce(term: BandwidthTerm, now: number): number {
  if (isExpired(term, now)) return 0
  return isTemporary(term, now) ? (term.tempBandwidth ?? 0) : term.bandwidth
}

/** Time at which the effective bandwidth may change next; null if it stays. */
export function nextBandwidthChange(term: BandwidthTerm, now: number): number | null {
  const { expireAt, tempStartAt, tempExpireAt } = term
  const ahead = [expireAt, tempStartAt, tempExpireAt].filter((at): at is number => at !== null && at > now)
  return isExpired(term, now) || ahead.length === 0 ? null : Math.min(...ahead)
}

/** Limit of the device, and of its pool if it is in one. */
export const maxBandwidth = (own: number, poolMax: number | null): number => Math.min(own, poolMax ?? own)

interface Editable {
  readonly share: 0 | 1
  readonly expireAt: number
  readonly maxBandwidth: number
  readonly poolMax: number | null
}

/** Checks a customer's edit in the list of devices. */
export function checkBandwidth(device: Editable, bandwidth: number, now: number): Violation | null {
  const max = maxBandwidth(device.maxBandwidth, device.poolMax)
  if (device.share !== 1) return violation('SAAS_NOT_SHARED')
  if (isExpired(device, now)) return violation('SAAS_EXPIRED')
  if (bandwidth <= 0) return violation('BANDWIDTH_TOO_LOW')
  return bandwidth > max ? violation('BANDWIDTH_TOO_HIGH', { max }) : null
}

/** Checks a customer's edit in a pool, for every edition. */
export function checkPoolBandwidth(device: Editable, bandwidth: number, now: number): Violation | null {
  const max = maxBandwidth(device.maxBandwidth, device.poolMax)
  if (isExpired(device, now)) return violation('SAAS_EXPIRED')
  return bandwidth <= 0 || bandwidth > max ? violation('BANDWIDTH_OUT_OF_RANGE', { max }) : null
}

/** Checks the bandwidth set by the operator. 0 turns it off. */
export const checkSoldBandwidth = (bandwidth: number, max: number): Violation | null =>
  bandwidth > max ? violation('BANDWIDTH_TOO_HIGH', { max }) : null
