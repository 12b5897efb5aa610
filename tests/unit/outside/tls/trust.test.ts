import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { DirectoryError } from '#outside/tls/failure.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import { DAY_MS, type Issued, ecKey, issueCertificate } from '#tests/support/directory/certificates.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NOW = Date.UTC(2026, 10, 20)
const NAME = 'ldap.qiming.com'
const [rootKey, middleKey, serverKey] = [ecKey(), ecKey(), ecKey()]
const times = { from: NOW - 30 * DAY_MS, until: NOW + 30 * DAY_MS }
const root = issueCertificate({ name: 'Root', key: rootKey, isCa: true, ...times })
const middle = issueCertificate({ name: 'Middle', key: middleKey, issuer: root, isCa: true, ...times })
const server = { name: NAME, key: serverKey, issuer: root, names: [NAME, '203.0.113.7'], ...times } as const
const issue = (options: Partial<Parameters<typeof issueCertificate>[0]> = {}): Issued =>
  issueCertificate({ ...server, ...options })

const toX509 = ({ der }: Issued): X509Certificate => new X509Certificate(der)
function check(chain: readonly Issued[], anchors: readonly Issued[], name = NAME, now = NOW): DirectoryError | null {
  try {
    createChainCheck({ name, anchors: anchors.map(toX509), now })(chain.map(toX509))
    return null
  } catch (error) {
    if (error instanceof DirectoryError) return error
    throw error
  }
}

const viaMiddle = issue({ issuer: middle })
const sameNameRoot = issueCertificate({ name: 'Root', key: ecKey(), isCa: true, ...times })
const oldRoot = issueCertificate({
  name: 'Root',
  key: rootKey,
  isCa: true,
  from: NOW - 60 * DAY_MS,
  until: NOW - DAY_MS,
})
const oldMiddle = issueCertificate({
  ...middle,
  issuer: root,
  isCa: true,
  from: NOW - 60 * DAY_MS,
  until: NOW - DAY_MS,
})
const loop = [
  issueCertificate({ name: 'A', key: rootKey, issuer: { name: 'B', key: middleKey }, isCa: true, ...times }),
  issueCertificate({ name: 'B', key: middleKey, issuer: { name: 'A', key: rootKey }, isCa: true, ...times }),
]

it.each<[string, readonly Issued[], readonly Issued[], string?]>([
  ['signed by the anchor', [issue()], [root]],
  ['an address', [issue()], [root], '203.0.113.7'],
  ['a wildcard', [issue({ names: ['*.qiming.com'] })], [root]],
  ['for servers', [issue({ purpose: 'server' })], [root]],
  ['over an intermediate', [viaMiddle, middle], [root]],
  ['over an intermediate, in any order and with strangers', [viaMiddle, sameNameRoot, middle], [root]],
  ['an intermediate is the anchor', [viaMiddle], [middle]],
  ['the certificate itself is the anchor', [issue({ issuer: { name: 'Lost', key: middleKey } })].slice(0, 1), []],
  ['one of several anchors', [issue()], [sameNameRoot, root]],
  ['an expired anchor beside its successor', [issue()], [oldRoot, root]],
])('trusts: %s', (_, chain, anchors, name) => {
  expect(check(chain, anchors.length === 0 ? chain : anchors, name)).toBeNull()
})

it('refuses each chain that leads to no anchor, with the reason', async () => {
  const offenders = await findOffenders<
    [string, readonly Issued[], readonly Issued[], string, Partial<{ name: string; now: number }>?]
  >([
    ['no anchor at all', [issue()], [], 'wrong_ca'],
    ['the anchor has the name, not the key', [issue()], [sameNameRoot], 'wrong_ca'],
    ['the intermediate is missing', [viaMiddle], [root], 'wrong_ca'],
    ['the intermediate has expired', [issue({ issuer: middle }), oldMiddle], [root], 'wrong_ca'],
    [
      'the intermediate is no authority',
      [issue({ issuer: { name: NAME, key: serverKey } }), issue()],
      [root],
      'wrong_ca',
    ],
    [
      'the anchor is no authority',
      [issue({ issuer: { name: NAME, key: serverKey }, key: ecKey() })],
      [issue()],
      'wrong_ca',
    ],
    ['a circle', [issue({ issuer: { name: 'A', key: rootKey } }), ...loop], [middle], 'wrong_ca'],
    ['the anchor has expired', [issue()], [oldRoot], 'ca_expired'],
    ['another name', [issue()], [root], 'wrong_name', { name: 'dc1.qiming.com' }],
    ['a wildcard does not reach two labels down', [issue({ names: ['*.com'] })], [root], 'wrong_name'],
    ['an address that it does not have', [issue()], [root], 'wrong_name', { name: '203.0.113.8' }],
    ['a common name beside other names does not count', [issue({ names: ['x.qiming.com'] })], [root], 'wrong_name'],
    ['a common name alone', [issue({ names: [] })], [root], 'name_in_subject'],
    ['a common name beside an address', [issue({ names: ['203.0.113.7'] })], [root], 'name_in_subject'],
    ['another common name alone', [issue({ names: [] })], [root], 'wrong_name', { name: 'dc1.qiming.com' }],
    ['expired', [issue({ until: NOW - 1_000 })], [root], 'certificate_expired'],
    ['not yet valid', [issue({ from: NOW + 1_000 })], [root], 'certificate_not_yet_valid'],
    ['for clients', [issue({ purpose: 'client' })], [root], 'certificate_purpose'],
    ['no certificate', [], [root], 'certificate_invalid'],
  ])((_, chain, anchors, reason, options = {}) => {
    expect(check(chain, anchors, options.name, options.now)?.reason).toBe(reason)
  })
  expect(offenders).toEqual([])
})

it('says which names and which issuer it found, as plain text', () => {
  expect(check([issue()], [root], 'dc1.qiming.com')?.params).toEqual({ names: `${NAME}, 203.0.113.7` })
  expect(check([issue({ issuer: { name: 'Root\n<b>\u202e', key: middleKey } })], [root])?.params['issuer']).not.toMatch(
    /[\n\u202e]/,
  )
})

it('refuses a certificate whose names OpenSSL cannot read', () => {
  const own = toX509(issue())
  own.checkHost = () => {
    throw new Error('Operation failed')
  }
  const checkChain = createChainCheck({ name: NAME, anchors: [toX509(root)], now: NOW })
  expect(() => checkChain([own])).toThrow(new DirectoryError('certificate_invalid'))
})
