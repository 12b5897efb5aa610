import { findNonce } from '#lib/proof-of-work/find-nonce.ts'

/** A nonce that proves so much work for a challenge or a captcha. */
export const solveWork = (challenge: string, bits: number): string => findNonce(challenge, bits)!
