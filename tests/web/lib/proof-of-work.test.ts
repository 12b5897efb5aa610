import { expect, it } from 'vitest'
import { hasZeroBits } from '../../../worker/domain/verify/proof.ts'
import { solveChallenge } from '../../../web/lib/proof-of-work.ts'

it.each([1, 7, 8, 12])('finds a nonce that the server accepts for %i bits', async (bits) => {
  const nonce = await solveChallenge('login.1.abc.sig', bits)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`login.1.abc.sig.${nonce}`))
  expect(hasZeroBits(new Uint8Array(digest), bits)).toBe(true)
  expect(nonce.length).toBeLessThanOrEqual(32)
})
