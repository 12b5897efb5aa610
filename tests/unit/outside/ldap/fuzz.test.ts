import { describe, expect, it, vi } from 'vitest'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { BerReader } from '#outside/tls/ber-reader.ts'
import { readCertificateFile } from '#outside/ldap/certificate-file.ts'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import { DIRECTORY_FAILURES, DirectoryError } from '#outside/tls/failure.ts'
import { readResponse } from '#outside/ldap/response.ts'
import { leaf, root } from '#tests/support/directory/chains.ts'
import { bindReply, doneReply, entryReply, readRequest, referenceReply } from '#tests/support/directory/ldap-replies.ts'
import { createMemoryPipe } from '#tests/support/directory/memory-pipe.ts'
import { mutate, noise, reasonOf } from '#tests/support/directory/mutated-bytes.ts'
import { repetitions, seedsOf } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'

// Random and mutated bytes: what reads them ends soon, and with a reason of ours.

const ROUNDS = repetitions(3_000)

const ENTRY = entryReply(7, 'uid=li.na,dc=a', {
  entryUUID: '00000000-0000-4000-8000-000000000001',
  uid: ['a', 'b'],
  cn: '李娜',
})
const REPLIES = [bindReply(7, 49, 'data 52e, v4563'), ENTRY, doneReply(7, 0, 'next'), referenceReply(7, 'ldap://b/')]

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
})

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
