import { LOGIN_WORK } from '../../contract/limits.ts'
import { allowanceOf, bitsFor } from '../verify/proof.ts'

/** Failed sign-ins of a window: of the address, of its /48, at the account from anywhere. */
export interface Failures {
  readonly address: number
  readonly wideBlock: number
  readonly account: number
}

/** Failures up to which a sign-in with so much work is looked at. */
export const allowedFailures = (bits: number): Failures => ({
  address: allowanceOf(bits, LOGIN_WORK.perAddress),
  wideBlock: allowanceOf(bits, LOGIN_WORK.perWideBlock),
  account: allowanceOf(bits, LOGIN_WORK.perAccount),
})

/** Bits of work that the next sign-in needs; 0: none. */
export const requiredBits = ({ address, wideBlock, account }: Failures): number =>
  Math.max(
    bitsFor(address + 1, LOGIN_WORK.perAddress),
    bitsFor(wideBlock + 1, LOGIN_WORK.perWideBlock),
    bitsFor(account + 1, LOGIN_WORK.perAccount),
  )
