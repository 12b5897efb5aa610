import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '#infra/agent/options.ts'
import { DialError, dialDirectory } from '#infra/agent/tunnel/dial-directory.ts'
import { isAddressAllowed, isPortAllowed } from '#infra/agent/tunnel/directory-policy.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NONE = { targets: new Set<string>(), lans: [] }
const LANS = { targets: new Set<string>(), lans: [{ ip: '203.0.113.1', mask: 24 }] }

describe('directory.md, Private mode · addresses that a tunnel may reach', () => {
  it('private addresses alone, each in its canonical form', async () => {
    const offenders = await findOffenders([
      ['10.1.2.3', true],
      ['172.16.0.1', true],
      ['172.32.0.1', false],
      ['192.168.1.10', true],
      ['fd00::10', true],
      ['8.8.8.8', false],
      ['2001:4860:4860::8888', false],
      ['127.0.0.1', false],
      ['::1', false],
      ['0.0.0.0', false],
      ['::', false],
      ['169.254.169.254', false],
      ['fe80::1', false],
      ['224.0.0.1', false],
      ['255.255.255.255', false],
      ['ff02::1', false],
      ['::ffff:10.1.2.3', false],
      ['::FFFF:127.0.0.1', false],
      ['010.1.2.3', false],
      ['ldap.local', false],
    ])((address, isAllowed) => {
      expect(isAddressAllowed(NONE, address, 389, address)).toBe(isAllowed)
    })
    expect(offenders).toEqual([])
  })

  it('takes public addresses of its own segments, and no others', () => {
    expect(isAddressAllowed(LANS, 'x', 389, '203.0.113.9')).toBe(true)
    expect(isAddressAllowed(LANS, 'x', 389, '203.0.114.9')).toBe(false)
  })

  it.each([
    [389, true],
    [636, true],
    [3268, true],
    [3269, true],
    [22, false],
    [443, false],
  ])('port %d: %s', (port, isAllowed) => {
    expect(isPortAllowed(NONE, 'ldap.acme.local', port)).toBe(isAllowed)
  })

  it('--directory opens one target, wherever it is, and no other port of it', () => {
    const policy = { ...NONE, targets: new Set(['dc.acme.local:1636']) }
    expect(isPortAllowed(policy, 'DC.acme.local', 1636)).toBe(true)
    expect(isAddressAllowed(policy, 'DC.acme.local', 1636, '127.0.0.1')).toBe(true)
    expect(isPortAllowed(policy, 'dc.acme.local', 22)).toBe(false)
    expect(isAddressAllowed(policy, 'other.local', 1636, '127.0.0.1')).toBe(false)
  })

  it.each([
    ['10.0.0.1:389', '10.0.0.1:389'],
    ['DC.Acme.local:1636', 'dc.acme.local:1636'],
    ['[fd00::1]:636', 'fd00::1:636'],
  ])('--directory %s', (text, target) => {
    const line = ['--server', 'https://x.example', '--serial', 'S', '--state', '/tmp/s', '--directory', text]
    expect([...parseCommandLine(line).directories]).toEqual([target])
  })

  it.each(['10.0.0.1', ':389', 'a b:389', '10.0.0.1:0', '10.0.0.1:70000', 'x:y'])('--directory %s is none', (text) => {
    const line = ['--server', 'https://x.example', '--serial', 'S', '--state', '/tmp/s', '--directory', text]
    expect(() => parseCommandLine(line)).toThrow('--directory: <host:port>')
  })
})

describe('directory.md, Private mode · dialling', () => {
  const found =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: 4 }))
  const reason = (work: Promise<unknown>) =>
    work.then(
      () => 'dialled',
      (error: unknown) => (error instanceof DialError ? error.reason : String(error)),
    )

  it('dials the address that was checked, of several the allowed ones', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('hi')).listen(0, '127.0.0.2')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const policy = { targets: new Set<string>(), lans: [{ ip: '127.0.0.2', mask: 32 }] }
    // 127.0.0.0/8 is never dialled, own segment or not.
    expect(await reason(dialDirectory({ host: '127.0.0.2', port: 389 }, policy, found()))).toBe('not_allowed')
    const allowed = { ...policy, targets: new Set([`dc.local:${port}`]) }
    const socket = await dialDirectory({ host: 'dc.local', port }, allowed, found('127.0.0.3', '127.0.0.2'))
    expect(socket.remoteAddress).toBe('127.0.0.2')
    socket.destroy()
    server.close()
  })

  it.each([
    ['a name that leads to a public address', found('8.8.8.8'), 389, 'not_allowed'],
    ['a name that leads to loopback', found('127.0.0.1'), 389, 'not_allowed'],
    ['a port that is no directory’s', found('10.0.0.1'), 22, 'not_allowed'],
    ['an unknown name', async () => Promise.reject(new Error('ENOTFOUND')), 389, 'name_unknown'],
    ['a name without addresses', found(), 389, 'name_unknown'],
  ] as const)('%s: %s', async (_, lookup, port, expected) => {
    expect(await reason(dialDirectory({ host: 'dc.local', port }, NONE, lookup))).toBe(expected)
  })

  it('a closed port has an answer of its own', async () => {
    const policy = { ...NONE, targets: new Set(['127.0.0.1:1']) }
    expect(await reason(dialDirectory({ host: '127.0.0.1', port: 1 }, policy, found()))).toBe('refused')
  })
})
