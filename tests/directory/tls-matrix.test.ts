import { connect } from 'cloudflare:sockets'
import { expect, inject, it } from 'vitest'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import type { DirectoryFailure } from '#outside/tls/failure.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import { FAKE_ACCOUNT } from '#tests/support/directory/fake-ldap.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { catchFailure } from './failures.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const { ports, authorities } = inject('tls')
type Port = keyof typeof ports
type Trusted = keyof typeof authorities

interface Case {
  readonly title: string
  readonly server: Port
  readonly trusted: Trusted
  readonly name?: string
}

const open = ({ server, trusted, name = SERVER_NAME }: Case) =>
  openDirectory(
    {
      host: '127.0.0.1',
      port: ports[server],
      security: 'ldaps',
      certificateName: name,
      ca: { kind: 'file', pem: authorities[trusted] },
    },
    FAKE_ACCOUNT,
    ({ host, port }) => dialSocket(connect, host, port, 5_000),
    Date.now,
  )

const ACCEPTED: readonly (readonly [Case, '1.2' | '1.3'])[] = [
  [{ title: 'the right authority', server: 'rsa', trusted: 'ca' }, '1.3'],
  [{ title: 'an address that the certificate names', server: 'rsa', trusted: 'ca', name: '127.0.0.1' }, '1.3'],
  [{ title: 'the name in other letters', server: 'rsa', trusted: 'ca', name: 'LDAP.Test.Internal' }, '1.3'],
  [{ title: 'TLS 1.2, RSA', server: 'rsa12', trusted: 'ca' }, '1.2'],
  [{ title: 'TLS 1.3, RSA', server: 'rsa13', trusted: 'ca' }, '1.3'],
  [{ title: 'TLS 1.2, AES-256', server: 'aes256', trusted: 'ca' }, '1.2'],
  [{ title: 'TLS 1.2, ChaCha20', server: 'chacha12', trusted: 'ca' }, '1.2'],
  [{ title: 'P-256 under an authority with P-384', server: 'ec256', trusted: 'ecCa' }, '1.3'],
  [{ title: 'P-256, TLS 1.2', server: 'ec256Tls12', trusted: 'ecCa' }, '1.2'],
  [{ title: 'P-384', server: 'ec384', trusted: 'ecCa' }, '1.3'],
  [{ title: 'RSA of 4096 bits', server: 'rsa4096', trusted: 'ca' }, '1.3'],
  [{ title: 'an intermediate that the server sends', server: 'chain', trusted: 'ca' }, '1.3'],
  [{ title: 'an intermediate that was uploaded', server: 'chainMissing', trusted: 'intermediate' }, '1.3'],
  [{ title: 'a self-signed certificate that was uploaded', server: 'selfSigned', trusted: 'selfSigned' }, '1.3'],
  [{ title: 'TLS 1.3 with ChaCha20 alone', server: 'chacha13', trusted: 'ca' }, '1.3'],
  [{ title: 'a HelloRetryRequest for P-384', server: 'retry', trusted: 'ca' }, '1.3'],
  [{ title: 'a server that asks for a client certificate, TLS 1.3', server: 'asksClient13', trusted: 'ca' }, '1.3'],
  [{ title: 'a server that asks for a client certificate, TLS 1.2', server: 'asksClient12', trusted: 'ca' }, '1.2'],
]

it('accepts each server of the matrix, in its version', async () => {
  const offenders = await findOffenders(ACCEPTED)(async (tried, version) => {
    const connection = await open(tried)
    expect(connection.server.tlsVersion).toBe(version)
    expect(connection.server.certificate?.notAfter).toBeGreaterThan(Date.now())
    connection.close()
  })
  expect(offenders).toEqual([])
})

const REFUSED: readonly (readonly [Case, DirectoryFailure])[] = [
  [{ title: 'a wrong authority', server: 'rsa', trusted: 'wrongCa' }, 'wrong_ca'],
  [{ title: 'an authority of the same name with another key', server: 'rsa', trusted: 'fakeCa' }, 'wrong_ca'],
  [
    { title: 'a name that the certificate does not have', server: 'rsa', trusted: 'ca', name: 'evil.example' },
    'wrong_name',
  ],
  [{ title: 'an address that it does not have', server: 'rsa', trusted: 'ca', name: '10.9.8.7' }, 'wrong_name'],
  [{ title: 'a certificate of another host', server: 'otherHost', trusted: 'ca' }, 'wrong_name'],
  [{ title: 'an expired certificate', server: 'expired', trusted: 'ca' }, 'certificate_expired'],
  [{ title: 'a certificate of tomorrow', server: 'future', trusted: 'ca' }, 'certificate_not_yet_valid'],
  [{ title: 'an intermediate that nobody sends', server: 'chainMissing', trusted: 'ca' }, 'wrong_ca'],
  [{ title: 'a certificate signed by another server', server: 'rogue', trusted: 'ca' }, 'wrong_ca'],
  [{ title: 'a self-signed certificate under another authority', server: 'selfSigned', trusted: 'ca' }, 'wrong_ca'],
  [{ title: 'a common name alone', server: 'nameOnly', trusted: 'nameOnly' }, 'name_in_subject'],
  [{ title: 'a certificate for clients', server: 'clientOnly', trusted: 'ca' }, 'certificate_purpose'],
  [{ title: 'RSA key exchange alone', server: 'rsaExchange', trusted: 'ca' }, 'ciphers_too_old'],
  [{ title: 'CBC alone', server: 'cbc', trusted: 'ca' }, 'ciphers_too_old'],
  [{ title: 'DHE alone', server: 'dhe', trusted: 'ca' }, 'ciphers_too_old'],
  [{ title: 'TLS 1.1', server: 'tls11', trusted: 'ca' }, 'protocol_too_old'],
  [
    { title: 'a server that needs a client certificate', server: 'needsClient12', trusted: 'ca' },
    'client_certificate_needed',
  ],
  [{ title: 'a port without TLS', server: 'plain', trusted: 'ca' }, 'not_tls'],
  [{ title: 'a web server', server: 'http', trusted: 'ca' }, 'not_tls'],
  [{ title: 'a server that sends back what it gets', server: 'mirror', trusted: 'ca' }, 'tls_failed'],
]

it('refuses each server of the matrix, with its reason', async () => {
  const offenders = await findOffenders(REFUSED)(async (tried, reason) => {
    expect(await catchFailure(open(tried))).toBe(reason)
  })
  expect(offenders).toEqual([])
})

it('refuses a server of TLS 1.3 that needs a client certificate: it says so behind its handshake, and hangs up', async () => {
  const failure = catchFailure(open({ title: '', server: 'needsClient13', trusted: 'ca' }))
  expect(['client_certificate_needed', 'closed']).toContain(await failure)
})
