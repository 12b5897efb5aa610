import { X509Certificate } from 'node:crypto'
import { duplexPair } from 'node:stream'
import { TLSSocket, connect } from 'node:tls'
import { expect, it, vi } from 'vitest'
import { DirectoryError } from '#outside/tls/failure.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import {
  type Issued,
  dnsBase,
  ecKey,
  issueCertificate,
  keyPem,
  toNameConstraints,
} from '#tests/support/directory/certificates.ts'
import { AGREED, type Chain, NAME, STRICTER, authority, keys, leaf, root } from '#tests/support/directory/chains.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Our check of a chain beside OpenSSL's, as Node's TLS client has it, over one table of chains.

function ours([own, sent, anchors, name = NAME]: Chain): string {
  const toX509 = ({ der: bytes }: Issued) => new X509Certificate(bytes)
  const trusted = anchors.length === 0 ? [own] : anchors
  try {
    createChainCheck({ name, anchors: trusted.map(toX509), now: Date.now() })([own, ...sent].map(toX509))
    return 'accepted'
  } catch (error) {
    if (error instanceof DirectoryError) return error.reason
    throw error
  }
}

/** The server takes any certificate, the client is as Node ships it. */
async function openssl([own, sent, anchors, name = NAME]: Chain): Promise<string> {
  const [clientSide, serverSide] = duplexPair()
  const server = new TLSSocket(serverSide as never, {
    isServer: true,
    cert: [own, ...sent].map(({ pem }) => pem).join(''),
    key: keyPem(own.key),
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  server.on('error', () => {})
  const client = connect({
    socket: clientSide,
    host: name,
    ...(name === NAME && { servername: name }),
    ca: (anchors.length === 0 ? [own] : anchors).map(({ pem }) => pem),
    allowPartialTrustChain: true,
  })
  try {
    return await new Promise<string>((resolve) => {
      client.once('secureConnect', () => resolve('accepted'))
      client.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
  } finally {
    client.destroy()
    server.destroy()
  }
}

it('we and OpenSSL agree on each chain', async () => {
  const offenders = await findOffenders(AGREED)(async (_, isAccepted, chain) => {
    const [mine, theirs] = [ours(chain), await openssl(chain)]
    expect([mine === 'accepted', theirs === 'accepted'], `${mine}, ${theirs}`).toEqual([isAccepted, isAccepted])
  })
  expect(offenders).toEqual([])
})

it.each(STRICTER)('we refuse, OpenSSL does not: %s (%s)', async (_, __, chain) => {
  expect(ours(chain)).not.toBe('accepted')
  expect(await openssl(chain)).toBe('accepted')
})

it('certificates that sign each other in circles end the search', () => {
  const stranger = ecKey()
  const circle = Array.from({ length: 9 }, () =>
    issueCertificate({ name: 'Loop', key: stranger, issuer: { name: 'Loop', key: stranger }, isCa: true }),
  )
  const verify = vi.spyOn(X509Certificate.prototype, 'verify')
  expect(ours([leaf({ issuer: { name: 'Loop', key: stranger } }), circle, [root]])).toBe('wrong_ca')
  expect(verify.mock.calls.length).toBeLessThan(1_500) // all paths were more than 100,000
  verify.mockRestore()
})

it('finds the path that keeps to its constraints beside one that does not', () => {
  const strict = authority('Middle', keys.middle, { extensions: [toNameConstraints([dnsBase('other.com')])] })
  const open = authority('Middle', keys.middle)
  expect(ours([leaf({ issuer: open }), [strict, open], [root]])).toBe('accepted')
})
