import { type Violation, violation } from '#contract/kernel/result.ts'

/* Quota of sub-accounts. */

export interface RamQuota {
  readonly count: number
  readonly max: number
}

/** Refuses a new sub-account over the quota. A quota below the present number only stops creation. */
export const checkRamQuota = ({ count, max }: RamQuota): Violation | null =>
  count < max ? null : violation('RAM_LIMIT_REACHED', { limit: max })
