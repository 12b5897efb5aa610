import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readFields } from '#outside/tls/certificate-fields.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import { NAME, leaf, root } from '#tests/support/directory/chains.ts'
import { mutate, noise, reasonOf } from '#tests/support/directory/mutated-bytes.ts'
import { repetitions, seedsOf } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'

// Random and mutated certificates: none is trusted, and each failure is a reason of failure.ts.

const ROUNDS = repetitions(3_000)

const leafDer = leaf().der

function parse(bytes: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes)
  } catch {
    return null
  }
}

describe.each(seedsOf('readers of a directory'))('with seed %i', (seed) => {
  it('a chain of mutated certificates is trusted only where the mutation changed no byte of it', () => {
    const random = createRandom(seed + 3).below
    const own = leaf()
    const check = createChainCheck({ name: NAME, anchors: [new X509Certificate(root.der)], now: Date.now() })
    for (let i = 0; i < ROUNDS; i++) {
      const bytes = mutate(own.der, random)
      const parsed = parse(bytes)
      if (parsed === null) continue
      const reason = reasonOf(() => check([parsed]))
      // A byte that is replaced by itself, or one behind the certificate, changes nothing.
      if (reason === null && !parsed.raw.equals(own.der)) throw new Error(bytes.toString('base64'))
      reasonOf(() => readFields(parsed))
    }
    expect(reasonOf(() => check([new X509Certificate(own.der)]))).toBeNull()
  })

  it('the fields of a certificate are read or refused', () => {
    const random = createRandom(seed + 4).below
    for (let i = 0; i < ROUNDS * 3; i++) {
      const raw = i % 6 === 0 ? noise(random) : mutate(leafDer, random)
      expect([null, 'certificate_invalid']).toContain(reasonOf(() => readFields({ raw })))
    }
  })
})
