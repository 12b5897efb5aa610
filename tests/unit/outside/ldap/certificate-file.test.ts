import { expect, it } from 'vitest'
import { parsePem, readCertificateFile } from '#outside/ldap/certificate-file.ts'
import {
  DAY_MS,
  type Issued,
  ecKey,
  issueCertificate,
  keyPem,
  rsaKey,
  toPem,
} from '#tests/support/directory/certificates.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NOW = Date.UTC(2026, 10, 20)
const key = ecKey()
const issue = (name: string, until = NOW + 90 * DAY_MS): Issued =>
  issueCertificate({ name, key, isCa: true, from: NOW - 90 * DAY_MS, until })
const [root, other, old] = [issue('企业根证书'), issue('Second'), issue('Old', NOW - DAY_MS)]
const rsa = rsaKey()

const read = (source: string | Buffer) => readCertificateFile(Buffer.from(source), NOW)

it.each<[string, string | Buffer, string[]]>([
  ['PEM', root.pem, ['企业根证书']],
  ['DER, as Windows exports it', root.der, ['企业根证书']],
  ['several', root.pem + other.pem, ['企业根证书', 'Second']],
  ['Windows line ends', root.pem.replaceAll('\n', '\r\n'), ['企业根证书']],
  ['a byte order mark and comments', `\ufeffBag Attributes\n subject=x\n${root.pem}\n`, ['企业根证书']],
  ['an expired one beside a good one', old.pem + root.pem, ['Old', '企业根证书']],
])('reads %s', (_, source, names) => {
  const file = read(source)
  if (file.failure !== null) throw new Error(file.failure)
  expect(file.certificates.map(({ name }) => name)).toEqual(names)
  expect(parsePem(file.pem)).toHaveLength(names.length)
})

it('answers name, subject and expiry', () => {
  expect(read(root.pem)).toMatchObject({
    certificates: [
      { name: '企业根证书', subject: 'CN=企业根证书', issuer: 'CN=企业根证书', notAfter: NOW + 90 * DAY_MS },
    ],
  })
})

it('refuses each file that holds no usable authority', async () => {
  const offenders = await findOffenders<[string, string | Buffer, string]>([
    ['nothing', '', 'not_certificate'],
    ['text', 'hello', 'not_certificate'],
    ['a request', toPem('CERTIFICATE REQUEST', root.der), 'not_certificate'],
    ['a public key', key.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'not_certificate'],
    ['PEM of something else', toPem('CERTIFICATE', Buffer.from('hello')), 'not_certificate'],
    ['one good and one broken', root.pem + toPem('CERTIFICATE', Buffer.from('hello')), 'not_certificate'],
    ['DER with bytes behind it', Buffer.concat([root.der, Buffer.from([0])]), 'not_certificate'],
    ['half a certificate', root.der.subarray(0, 200), 'not_certificate'],
    ['a private key', keyPem(key), 'private_key'],
    ['a certificate with its key', root.pem + keyPem(key), 'private_key'],
    ['a private key in DER', key.privateKey.export({ type: 'pkcs8', format: 'der' }), 'private_key'],
    ['an RSA key in DER', rsa.privateKey.export({ type: 'pkcs1', format: 'der' }), 'private_key'],
    ['an expired certificate', old.pem, 'expired'],
    ['too many', root.pem.repeat(21), 'too_many'],
  ])((_, source, failure) => {
    expect(read(source)).toEqual({ failure })
  })
  expect(offenders).toEqual([])
})
