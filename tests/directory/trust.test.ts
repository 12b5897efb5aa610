import { X509Certificate } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { DirectoryError } from '#outside/tls/failure.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// The chains that OpenSSL decides alike or less strictly (tests/unit/outside/tls/trust-openssl.test.ts), inside workerd.

const toX509 = (der: string) => new X509Certificate(Buffer.from(der, 'base64'))

it('accepts and refuses each chain as in Node', async () => {
  const offenders = await findOffenders(inject('chains'))(({ isAccepted, name, chain, anchors }) => {
    const check = createChainCheck({ name, anchors: anchors.map(toX509), now: Date.now() })
    let failure: unknown = null
    try {
      check(chain.map(toX509))
    } catch (error) {
      failure = error
    }
    expect(failure === null).toBe(isAccepted)
    expect(failure === null || failure instanceof DirectoryError).toBe(true)
  })
  expect(offenders).toEqual([])
})
