import { PROOF, FAILURE_WORK } from '#contract/verify/limits.ts'

/* Work that a browser proves, and how much of it a call needs. */

/** True when the digest begins with `bits` zero bits, which takes 2^bits tries on average. */
export function hasZeroBits(digest: Uint8Array, bits: number): boolean {
  for (let i = 0; i < bits; i += 8) {
    const kept = Math.min(8, bits - i)
    if ((digest[i / 8] ?? 255) >> (8 - kept) !== 0) return false
  }
  return true
}

const LEVELS = Array.from({ length: PROOF.bitsMax - PROOF.bitsMin + 1 }, (_, i) => PROOF.bitsMin + i)

/** Bits of work in a digest, as far as they count; 0 for less than the least that is ever asked. */
export const provenBits = (digest: Uint8Array): number => LEVELS.findLast((bits) => hasZeroBits(digest, bits)) ?? 0

/** Attempts that so much work allows, where `free` need none: each further bit allows twice as many, the last any number. */
export function toAllowance(bits: number, free: number): number {
  if (bits >= PROOF.bitsMax) return Number.MAX_SAFE_INTEGER
  return bits < PROOF.bitsMin ? free : free * 2 ** (bits - PROOF.bitsMin + 1)
}

/** The least work that allows so many attempts; 0: none. */
export const bitsFor = (attempts: number, free: number): number =>
  [0, ...LEVELS].find((bits) => attempts <= toAllowance(bits, free)) ?? PROOF.bitsMax

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
