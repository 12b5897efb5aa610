import { PROOF, FAILURE_WORK } from '#contract/verify/limits.ts'

/* Proof of work by a browser: the bits in a digest, and the bits that a call needs after failures. */

/** True when the digest begins with `bits` zero bits, which takes 2^bits tries on average. */
export function hasZeroBits(digest: Uint8Array, bits: number): boolean {
  for (let i = 0; i < bits; i += 8) {
    const kept = Math.min(8, bits - i)
    if ((digest[i / 8] ?? 255) >> (8 - kept) !== 0) return false
  }
  return true
}

const LEVELS = Array.from({ length: PROOF.bitsMax - PROOF.bitsMin + 1 }, (_, i) => PROOF.bitsMin + i)

/** Bits of work in a digest, at most the maximum; 0 below the minimum. */
export const provenBits = (digest: Uint8Array): number => LEVELS.findLast((bits) => hasZeroBits(digest, bits)) ?? 0

/**
 * Attempts that `bits` of work allow: `free` without work, twice as many with each further bit, any number at the maximum.
 */
export function toAllowance(bits: number, free: number): number {
  if (bits >= PROOF.bitsMax) return Number.MAX_SAFE_INTEGER
  return bits < PROOF.bitsMin ? free : free * 2 ** (bits - PROOF.bitsMin + 1)
}

/** Least work that allows so many attempts; 0: no work. */
export const bitsFor = (attempts: number, free: number): number =>
  [0, ...LEVELS].find((bits) => attempts <= toAllowance(bits, free)) ?? PROOF.bitsMax

/** Failed anonymous calls in a window: from the address, from its /48, and to the account from anywhere. */
export interface Failures {
  readonly address: number
  readonly wideBlock: number
  readonly account: number
}

/** Failures up to which a call with so much work is processed. */
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
