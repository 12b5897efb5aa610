import { toAllowance, bitsFor } from './proof-of-work.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'

/** Failed anonymous calls of a window: of the address, of its /48, at the account from anywhere. */
export interface Failures {
  readonly address: number
  readonly wideBlock: number
  readonly account: number
}

/** Failures up to which a call with so much work is looked at. */
export const allowedFailures = (bits: number): Failures => ({
  address: toAllowance(bits, FAILURE_WORK.perAddress),
  wideBlock: toAllowance(bits, FAILURE_WORK.perWideBlock),
  account: toAllowance(bits, FAILURE_WORK.perAccount),
})

/** Bits of work that the next call needs; 0: none. */
export const requiredBits = ({ address, wideBlock, account }: Failures): number =>
  Math.max(
    bitsFor(address + 1, FAILURE_WORK.perAddress),
    bitsFor(wideBlock + 1, FAILURE_WORK.perWideBlock),
    bitsFor(account + 1, FAILURE_WORK.perAccount),
  )
