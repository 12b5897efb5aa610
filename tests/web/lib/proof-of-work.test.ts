import { expect, it, vi } from 'vitest'
import { hasZeroBits } from '#domain/verify/proof-of-work.ts'
import { findNonce } from '#lib/proof-of-work/find-nonce.ts'
import { solveChallenge } from '#lib/proof-of-work/proof-of-work.ts'

it.each([1, 7, 8, 12])('finds a nonce that the server accepts for %i bits', async (bits) => {
  const nonce = await solveChallenge('login.1.abc.sig', bits)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`login.1.abc.sig.${nonce}`))
  expect(hasZeroBits(new Uint8Array(digest), bits)).toBe(true)
  expect(nonce.length).toBeLessThanOrEqual(32)
})

it('computes in a worker, which ends with its answer, and in the page where its script does not load', async () => {
  const seen: unknown[] = []
  let isBroken = false
  class FakeWorker extends EventTarget {
    constructor(address: URL) {
      super()
      seen.push(address.pathname.split('/').at(-1))
    }
    postMessage(asked: unknown) {
      seen.push(asked)
      this.dispatchEvent(isBroken ? new Event('error') : new MessageEvent('message', { data: '000000042' }))
    }
    terminate() {
      seen.push('terminated')
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  expect(await solveChallenge('u1', 18)).toBe('000000042')
  expect(seen).toEqual(['proof-of-work.worker.ts', { challenge: 'u1', bits: 18 }, 'terminated'])
  isBroken = true
  expect(findNonce('u1', 8)).toBe(await solveChallenge('u1', 8))
  vi.unstubAllGlobals()
})

it.each([1, 40, 54, 55, 56, 63, 64, 80, 119, 200])(
  'hashes a challenge of %i characters as everybody else',
  async (n) => {
    const challenge = 'x'.repeat(n)
    const nonce = findNonce(challenge, 9)!
    const text = new TextEncoder().encode(`${challenge}.${nonce}`)
    expect(hasZeroBits(new Uint8Array(await crypto.subtle.digest('SHA-256', text)), 9)).toBe(true)
    expect(findNonce(challenge, 9, Number(nonce) + 1, 1)).not.toBe(nonce)
  },
)
