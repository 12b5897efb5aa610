import { findNonce } from '#lib/find-nonce.ts'

/** A nonce that proves so much work for a challenge or a captcha. */
export const solveWork = (challenge: string, bits: number): string => findNonce(challenge, bits)!
