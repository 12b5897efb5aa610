import { X509Certificate } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { DIRECTORY } from '#contract/ldap/directory-limits.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { BerReader } from '#outside/tls/ber-reader.ts'
import { readCertificateFile } from '#outside/ldap/certificate-file.ts'
import { openDirectory } from '#outside/ldap/connection.ts'
import { DIRECTORY_FAILURES, DirectoryError } from '#outside/tls/failure.ts'
import { readResponse } from '#outside/ldap/response.ts'
import { readFields } from '#outside/tls/certificate-fields.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import { NAME, leaf, root } from '#tests/support/directory/chains.ts'
import { bindReply, doneReply, entryReply, readRequest, referenceReply } from '#tests/support/directory/ldap-replies.ts'
import { createMemoryPipe } from '#tests/support/directory/memory-pipe.ts'
import { repetitions, seedsOf } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'

// Random and mutated bytes: what reads them ends soon, and with a reason of ours.

const ROUNDS = repetitions(3_000)

/** Bytes of lengths, tags and ends of ranges are likelier than others. */
const TELLING = [0, 1, 4, 0x30, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff]

/** One to four changes: a byte, a piece left out, repeated or put in. */
function mutate(bytes: Buffer, random: (below: number) => number): Buffer<ArrayBuffer> {
  let changed = Buffer.from(bytes)
  for (let left = 1 + random(4); left > 0; left--) {
    const at = random(changed.length + 1)
    const piece = changed.subarray(at, at + random(12))
    const kind = random(5)
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)]
    if (kind === 0)
      changed = Buffer.concat([before, Buffer.from([TELLING[random(TELLING.length)] ?? 0]), after.subarray(1)])
    else if (kind === 1) changed = Buffer.concat([before, Buffer.from([random(256)]), after.subarray(1)])
    else if (kind === 2) changed = Buffer.concat([before, after.subarray(piece.length)])
    else if (kind === 3) changed = Buffer.concat([before, piece, after])
    else changed = Buffer.from(changed.subarray(0, at))
  }
  return changed
}
const noise = (random: (below: number) => number): Buffer<ArrayBuffer> =>
  Buffer.from(
    Array.from({ length: random(200) }, () => (random(3) === 0 ? (TELLING[random(TELLING.length)] ?? 0) : random(256))),
  )

const ENTRY = entryReply(7, 'uid=li.na,dc=a', {
  entryUUID: '00000000-0000-4000-8000-000000000001',
  uid: ['a', 'b'],
  cn: '李娜',
})
const REPLIES = [bindReply(7, 49, 'data 52e, v4563'), ENTRY, doneReply(7, 0, 'next'), referenceReply(7, 'ldap://b/')]

/** Null for an answer; whatever is thrown must be ours. */
function reasonOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof DirectoryError) return error.reason
    throw new Error('not a reason of ours', { cause: error })
  }
}

describe.each(seedsOf('readers of a directory'))('with seed %i', (seed) => {
  it('a reply of LDAP is read or refused', () => {
    const random = createRandom(seed).below
    const elements = vi.spyOn(BerReader.prototype as unknown as { enter(): void }, 'enter')
    for (let i = 0; i < ROUNDS * 10; i++) {
      const bytes = i % 4 === 0 ? noise(random) : mutate(REPLIES[i % REPLIES.length] ?? ENTRY, random)
      expect([null, 'not_ldap']).toContain(reasonOf(() => readResponse(bytes, new Set(['uid', 'cn', 'entryuuid']))))
      expect(elements.mock.calls.length).toBeLessThanOrEqual(1 + bytes.length / 2) // each has a tag and a length
      elements.mockClear()
    }
    elements.mockRestore()
  })

  it('a server that sends such bytes ends the listing with a reason', async () => {
    const random = createRandom(seed + 1).below
    const limits = { ...DIRECTORY, searchMs: 20, bindMs: 20, messageBytes: 65_536, listingBytes: 1 << 20 }
    for (let i = 0; i < ROUNDS / 10; i++) {
      const reasons: (string | null)[] = []
      const pipe = createMemoryPipe((written) => {
        const { id, operation, base } = readRequest(written)
        if (operation === 'bind') return [bindReply(id)]
        if (operation !== 'search') return []
        if (base === '') return [doneReply(id)]
        const page = Buffer.concat([
          entryReply(id, 'uid=a', { entryUUID: '00000000-0000-4000-8000-000000000001', uid: 'a' }),
          doneReply(id, 0, ''),
        ])
        return [mutate(page, random)]
      })
      const target = { host: 'a', port: 389, security: 'none', certificateName: null, ca: { kind: 'public' } } as const
      const opened = await openDirectory(target, { bindDn: 'cn=r', password: 'p' }, async () => pipe, Date.now, limits)
      const query = { baseDn: 'dc=a', filter: null, usernameAttribute: null, phoneAttribute: null }
      let users = 0
      const listing = opened.listUsers(query, (page) => void (users += page.length))
      reasons.push(
        await listing.then(
          () => null,
          (error: unknown) => (error instanceof DirectoryError ? error.reason : String(error)),
        ),
      )
      expect([null, ...DIRECTORY_FAILURES]).toContain(reasons[0])
      expect(users).toBeLessThanOrEqual(1)
    }
  })

  it('a certificate file is read or refused', () => {
    const random = createRandom(seed + 2).below
    const files = [leaf().der, Buffer.from(leaf().pem), Buffer.from(leaf().pem + root.pem), root.der]
    for (let i = 0; i < ROUNDS; i++) {
      const bytes = i % 5 === 0 ? noise(random) : mutate(files[i % files.length] ?? root.der, random)
      const { failure } = readCertificateFile(bytes, Date.now())
      expect([null, 'not_certificate', 'private_key', 'expired', 'too_many']).toContain(failure)
    }
  })

  it('a chain of such certificates is trusted only where nothing that counts was changed', () => {
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

const leafDer = leaf().der

function parse(bytes: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes)
  } catch {
    return null
  }
}

/** Characters that searches in strings have looked at. */
function countScanned(work: () => void): number {
  const indexOf = String.prototype.indexOf
  let scanned = 0
  const spy = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, text, from = 0) {
    const at = indexOf.call(this, text, from)
    scanned += (at < 0 ? this.length : at) - from
    return at
  })
  try {
    work()
  } finally {
    spy.mockRestore()
  }
  return scanned
}

it.each([
  ['beginnings without an end', '-----BEGIN CERTIFICATE-----\n'],
  ['beginnings of other kinds', '-----BEGIN A-----\n-----END B-----\n'],
  ['dashes', '-'],
  ['empty certificates', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
  ['sequences', '\u0030\u0080'],
])('two megabytes of %s are refused in two passes', (_, piece) => {
  const file = Buffer.from(piece.repeat(Math.floor(UPLOAD.maxBytes / piece.length)), 'latin1')
  const scanned = countScanned(() => expect(readCertificateFile(file, Date.now()).failure).not.toBeNull())
  expect(scanned).toBeLessThanOrEqual(2 * file.length)
})
