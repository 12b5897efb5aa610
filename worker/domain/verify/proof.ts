/** Required leading zero bits: about a second in a browser, and no gain over solving the captcha by script. */
export const PROOF_BITS = 18

/** Whether a digest is small enough to have cost 2^bits tries. */
export function hasZeroBits(digest: Uint8Array, bits: number): boolean {
  for (let i = 0; i < bits; i += 8) {
    const kept = Math.min(8, bits - i)
    if ((digest[i / 8] ?? 255) >> (8 - kept) !== 0) return false
  }
  return true
}
