import { expect, it, describe } from 'vitest'
import { CERTIFICATE } from '#contract/device/limits.ts'
import { createAuthority, openAuthority, signCertificate, signList } from '#security/authority/authority.ts'
import { REQUEST_REFUSAL, type RequestRefusal, readRequest } from '#security/authority/request.ts'
import { loadX509 } from '#security/authority/x509.ts'
import { createKeys, createRequest, createRequestPem, toRequestPem } from '#tests/support/certificates/requests.ts'
import { openssl, verify } from '#tests/support/certificates/openssl.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const SEAL_KEYS = `test:${'5'.repeat(64)}`
const NOW = Date.now()
const NAME = 'NL-2024'
const DAY = 24 * 3_600_000

/** Authority with certificates of a point, of a point that answers a link and of a centre, and an empty list. */
async function createChain(now = NOW) {
  const authority = await createAuthority(SEAL_KEYS, 1, now)
  const signer = await openAuthority(SEAL_KEYS, authority)
  const issue = async (name: string, isServer: boolean, isGateway: boolean) => {
    const key = await readRequest(await createRequestPem(), name)
    if (typeof key === 'string') throw new Error(key)
    return signCertificate(signer, key, { name, isServer, isGateway }, now)
  }
  const point = await issue(NAME, false, false)
  const pair = await issue('NL-2026', true, false)
  const center = await issue('NL-2025', true, true)
  return { authority, signer, point, pair, center, list: await signList(signer, { revocations: [], number: 0 }, now) }
}

describe('keys that workerd has made', () => {
  it('are verified by OpenSSL: a point as client, the end that answers a link and a centre also as server', async () => {
    const { authority, point, pair, center, list } = await createChain()
    const ca = authority.certificate
    const offenders = await findOffenders([
      [point.certificate, 'sslclient', 'own.pem: OK'],
      [point.certificate, 'sslserver', 'unsuitable certificate purpose'],
      [pair.certificate, 'sslclient', 'own.pem: OK'],
      [pair.certificate, 'sslserver', 'own.pem: OK'],
      [center.certificate, 'sslclient', 'own.pem: OK'],
      [center.certificate, 'sslserver', 'own.pem: OK'],
    ] as const)(async (certificate, purpose, answer) => {
      expect((await verify({ ca, certificate, list }, purpose)).text).toContain(answer)
    })
    expect(offenders).toEqual([])
  })

  it('have the mark of a gateway at centres alone', async () => {
    const { point, pair, center } = await createChain()
    const { X509Certificate, ExtendedKeyUsageExtension } = await loadX509()
    const usages = [point, pair, center].map(({ certificate }) =>
      new X509Certificate(certificate).getExtension(ExtendedKeyUsageExtension)?.usages.map(String),
    )
    const [client, server] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']
    expect(usages).toEqual([[client], [client, server], [client, server, CERTIFICATE.gatewayUsage]])
  })

  it('have the name of the row, 397 days from a day back, and no right to sign', async () => {
    const { authority, point } = await createChain()
    const show = async (pem: string) =>
      (await openssl(['x509', '-in', 'own.pem', '-noout', '-text'], { 'own.pem': pem })).text
    const own = await show(point.certificate)
    expect(own).toMatch(/Subject: CN = NL-2024\n/)
    expect(own).toContain('CA:FALSE')
    expect(own).toMatch(/Key Usage: critical\s+Digital Signature\n/)
    expect(own).toMatch(/Extended Key Usage: \n\s+TLS Web Client Authentication\n/)
    const { X509Certificate } = await loadX509()
    const { notBefore, notAfter, serialNumber } = new X509Certificate(point.certificate)
    expect([NOW - notBefore.getTime(), notAfter.getTime() - NOW].map((ms) => Math.round(ms / DAY))).toEqual([1, 397])
    expect([serialNumber, notAfter.getTime()]).toEqual([point.serial, point.expiresAt])
    const ca = await show(authority.certificate)
    expect(ca).toMatch(/CA:TRUE, pathlen:0/)
    expect(ca).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
    expect(Math.round((authority.expiresAt - NOW) / DAY)).toBe(3_650)
  })

  it('end with their authority', async () => {
    const { authority, signer } = await createChain()
    const now = authority.expiresAt - 10 * DAY
    const key = await readRequest(await createRequestPem(), NAME)
    const issued = await signCertificate(signer, key as never, { name: NAME, isServer: false, isGateway: false }, now)
    expect(issued.expiresAt).toBe(authority.expiresAt)
  })

  it('are refused under a list that names them, and under no other', async () => {
    const { authority, signer, point, center, list } = await createChain()
    const { serial } = point
    const ca = authority.certificate
    const revoking = await signList(signer, { revocations: [{ serial, revokedAt: NOW }], number: 300 }, NOW)
    const verdict = async (certificate: string, by: string) =>
      (await verify({ ca, certificate, list: by }, 'sslclient')).text.match(/certificate revoked|OK/)?.[0]
    expect(await verdict(point.certificate, list)).toBe('OK')
    expect(await verdict(point.certificate, revoking)).toBe('certificate revoked')
    expect(await verdict(center.certificate, revoking)).toBe('OK')
    const { text } = await openssl(['crl', '-in', 'l.pem', '-noout', '-text', '-CAfile', 'ca.pem'], {
      'l.pem': revoking,
      'ca.pem': ca,
    })
    expect(text).toContain('verify OK')
    expect(text).toMatch(/X509v3 CRL Number: \n\s+300\n/)
    const [, nextUpdate = ''] = /Next Update: (.*)/.exec(text) ?? []
    expect(Date.parse(nextUpdate)).toBe(authority.expiresAt)
  })

  it('list as many certificates as a list may, within the limit of a document', async () => {
    const { signer } = await createChain()
    const revocations = Array.from({ length: CERTIFICATE.listedMax }, (_, i) => ({
      serial: `4${i.toString(16).padStart(31, '0')}`,
      revokedAt: NOW,
    }))
    const list = await signList(signer, { revocations, number: 1 }, NOW)
    expect(list.length).toBeLessThan(CERTIFICATE.listMax)
  })

  it('of one account are refused under the authority of another, also by a copied list', async () => {
    const [own, other] = [await createChain(), await createChain()]
    const chain = { ca: other.authority.certificate, certificate: own.point.certificate }
    expect((await verify(chain, 'sslclient')).isDone).toBe(false)
    expect((await verify({ ...chain, list: own.list }, 'sslclient')).isDone).toBe(false)
  })

  it('do not open under another account', async () => {
    const authority = await createAuthority(SEAL_KEYS, 1, NOW)
    await expect(openAuthority(SEAL_KEYS, { ...authority, accountId: 2 })).rejects.toThrow('cannot be opened')
    expect(authority.keySealed).toMatch(/^v1\.test\./)
  })
})

describe('a request', () => {
  it('is signed with the name of the router or with none, whatever else it asks for', async () => {
    const good = await createRequest({ name: [{ CN: [NAME] }] })
    const offenders = await findOffenders([
      ['named', toRequestPem(good)],
      ['without a name', await createRequestPem()],
      ['with CRLF', toRequestPem(good).replaceAll('\n', '\r\n')],
      ['without its last line end', toRequestPem(good).trimEnd()],
    ])(async (_, text) => {
      expect(typeof (await readRequest(text, NAME))).toBe('object')
    })
    expect(offenders).toEqual([])
  })

  it('that is hostile is refused with its reason', async () => {
    const rows = await hostileRequests()
    expect(rows.length).toBeGreaterThanOrEqual(30)
    const offenders = await findOffenders(rows)(async (_, text, reason) => {
      expect(await readRequest(text, NAME)).toBe(reason)
    })
    expect(offenders).toEqual([])
  })
})

type Row = readonly [what: string, text: string, reason: RequestRefusal]

async function hostileRequests(): Promise<Row[]> {
  const good = await createRequest({ name: [{ CN: [NAME] }] })
  return [
    ...formRows(good, toRequestPem(good)),
    ...(await keyRows(good)),
    ...(await signatureRows(good)),
    ...(await nameRows()),
  ]
}

function formRows(good: Buffer, pem: string): Row[] {
  const { size, form } = REQUEST_REFUSAL
  const rows: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['words', '请签发'],
    ['another label', pem.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')],
    ['label of a certificate', pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')],
    ['two requests', pem + pem],
    ['text before it', `# own\n${pem}`],
    ['text behind it', `${pem}up /tmp/x\n`],
    ['NUL', pem.replace('\n', '\n\0')],
    ['foreign characters', pem.replace(/\n(.)/, '\n*')],
    ['base64url', toRequestPem(good).replaceAll('+', '-').replaceAll('/', '_').replace(/\n(.)/, '\n_')],
    ['no begin', pem.replace(/^.*\n/, '')],
    ['empty body', '-----BEGIN CERTIFICATE REQUEST-----\n\n-----END CERTIFICATE REQUEST-----\n'],
    ['cut DER', toRequestPem(good.subarray(0, -3))],
    ['bytes behind the DER', toRequestPem(Buffer.concat([good, Buffer.from([0, 0])]))],
    [
      'indefinite length',
      toRequestPem(Buffer.concat([Buffer.from([0x30, 0x80]), good.subarray(3), Buffer.from([0, 0])])),
    ],
    [
      'length in more bytes than needed',
      toRequestPem(Buffer.concat([Buffer.from([0x30, 0x83, 0, 0]), good.subarray(2)])),
    ],
    ['random bytes', toRequestPem(crypto.getRandomValues(new Uint8Array(180)))],
    ['an empty sequence', toRequestPem(Buffer.from([0x30, 0x00]))],
    ['sequences in sequences', toRequestPem(nest(300))],
    ['a set', toRequestPem(Buffer.concat([Buffer.from([0x31]), good.subarray(1)]))],
  ]
  return [
    ['2,049 characters', pem.padEnd(CERTIFICATE.requestMax + 1, '\n'), size],
    ['16,384 characters', 'A'.repeat(16_384), size],
    ...rows.map(([what, text]) => [what, text, form] as const),
  ]
}

function nest(depth: number): Buffer {
  let der = Buffer.from([0x30, 0x00])
  for (let i = 0; i < depth; i++) {
    const { length } = der
    const head =
      length < 128 ? [0x30, length] : length < 256 ? [0x30, 0x81, length] : [0x30, 0x82, length >> 8, length & 255]
    der = Buffer.concat([Buffer.from(head), der])
  }
  return der
}

async function keyRows(good: Buffer): Promise<Row[]> {
  const { key } = REQUEST_REFUSAL
  const rsa = (modulusLength: number) => ({
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
  })
  const curve = (namedCurve: string) => ({ name: 'ECDSA', namedCurve, hash: 'SHA-256' })
  const algorithms = [
    ['RSA 2048', rsa(2048)],
    ['P-384', curve('P-384')],
    ['P-521', curve('P-521')],
    ['Ed25519', { name: 'Ed25519' }],
  ] as const
  const made = algorithms.map(
    async ([what, algorithm]) => [what, await createRequestPem({ algorithm: algorithm as never }), key] as const,
  )
  return [
    ...(await Promise.all(made)),
    ['secp256k1 in place of P-256', toRequestPem(replaced(good, '2a8648ce3d030107', '2a8648ce3d030106')), key],
    ['a point in hybrid form', toRequestPem(replaced(good, '03420004', '03420006')), key],
  ]
}

async function signatureRows(good: Buffer): Promise<Row[]> {
  const { signature } = REQUEST_REFUSAL
  const [own, other] = [await createKeys(), await createKeys()]
  const spki = async (keys: CryptoKeyPair) =>
    Buffer.from((await crypto.subtle.exportKey('spki', keys.publicKey)) as ArrayBuffer).toString('hex')
  const byOther = replaced(await createRequest({ keys: other }), await spki(other), await spki(own))
  const zero = Buffer.from(good)
  zero.fill(0, zero.indexOf(Buffer.from('2a8648ce3d040302', 'hex')) + 12)
  return [
    ['another name than was signed', toRequestPem(replaced(good, hex(NAME), hex('NL-2023'))), signature],
    ['the key of another device', toRequestPem(byOther), signature],
    [
      'a point beside the curve',
      toRequestPem(flipped(good, good.indexOf(Buffer.from('03420004', 'hex')) + 20)),
      signature,
    ],
    ['SHA-384', await createRequestPem({ signing: { name: 'ECDSA', hash: 'SHA-384' } }), signature],
    ['SHA-512', await createRequestPem({ signing: { name: 'ECDSA', hash: 'SHA-512' } }), signature],
    ['SHA-1 by name', toRequestPem(replaced(good, '2a8648ce3d040302', '2a8648ce3d040101')), signature],
    ['a changed last byte', toRequestPem(flipped(good, good.length - 1)), signature],
    ['a signature of zeros', toRequestPem(zero), signature],
  ]
}

async function nameRows(): Promise<Row[]> {
  const { name } = REQUEST_REFUSAL
  const subjects: readonly (readonly [string, readonly Record<string, string[]>[]])[] = [
    ['the name of a centre', [{ CN: ['NL-2025'] }]],
    ['a longer name', [{ CN: [`${NAME}x`] }]],
    ['another case', [{ CN: [NAME.toLowerCase()] }]],
    ['blanks', [{ CN: [` ${NAME}`] }]],
    ['an empty name', [{ CN: [''] }]],
    ['NUL', [{ CN: [`${NAME}\0`] }]],
    ['a path', [{ CN: ['../../etc/passwd'] }]],
    ['two names', [{ CN: [NAME] }, { CN: ['NL-2025'] }]],
    ['two names in one set', [{ CN: [NAME, 'NL-2025'] }]],
    ['the name twice', [{ CN: [NAME] }, { CN: [NAME] }]],
    ['an organization', [{ CN: [NAME] }, { O: ['x'] }]],
    ['an organization alone', [{ O: [NAME] }]],
    ['a name in a name', [{ CN: [`${NAME},CN=NL-2025`] }]],
  ]
  return Promise.all(subjects.map(async ([what, own]) => [what, await createRequestPem({ name: own }), name] as const))
}

const hex = (text: string): string => Buffer.from(text).toString('hex')

function replaced(der: Buffer, from: string, to: string): Buffer {
  const text = der.toString('hex')
  expect(text).toContain(from)
  return Buffer.from(text.replace(from, to), 'hex')
}

function flipped(der: Buffer, at: number): Buffer {
  const changed = Buffer.from(der)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}
