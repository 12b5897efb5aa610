import { type Violation, violation } from '#contract/kernel/result.ts'

export interface RamQuota {
  readonly count: number
  readonly max: number
}

/** One more sub-account fits. A quota that drops below what there is only stops creation. */
export const checkRamQuota = ({ count, max }: RamQuota): Violation | null =>
  count < max ? null : violation('RAM_LIMIT_REACHED', { limit: max })
