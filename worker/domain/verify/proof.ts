/** Bits of work asked for: about a second in a browser, while a script gains nothing over solving the captcha. */
export const PROOF_BITS = 18

/** Whether a digest is small enough to have cost 2^bits tries. */
export function hasZeroBits(digest: Uint8Array, bits: number): boolean {
  for (let i = 0; i < bits; i += 8) {
    const kept = Math.min(8, bits - i)
    if ((digest[i / 8] ?? 255) >> (8 - kept) !== 0) return false
  }
  return true
}
