import { expect, it } from 'vitest'
import { DirectoryError } from '#outside/tls/failure.ts'
import { uint, vector } from '#outside/tls/bytes.ts'
import { expandLabel, prf } from '#outside/tls/key-schedule.ts'
import { toMessage } from '#outside/tls/messages.ts'
import { toHeader } from '#outside/tls/record-keys.ts'
import { readServerHello } from '#outside/tls/server-hello.ts'
import { openTls } from '#outside/tls/tls-pipe.ts'
import { createMemoryPipe } from '#tests/support/directory/memory-pipe.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const SESSION = Buffer.alloc(32, 7)

function reasonOf(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof DirectoryError ? error.message : String(error)
  }
}

const extension = (type: number, data: Uint8Array): Buffer => Buffer.concat([uint(2, type), vector(2, data)])
const TLS13 = extension(0x2b, uint(2, 0x0304))
const SHARE = extension(0x33, Buffer.concat([uint(2, 0x1d), vector(2, Buffer.alloc(32, 9))]))

interface HelloOptions {
  readonly version?: number
  readonly random?: Buffer
  readonly session?: Buffer
  readonly suite?: number
  readonly compression?: number
  readonly extensions?: readonly Buffer[]
  readonly rest?: Buffer
}

const toHello = (options: HelloOptions = {}): Buffer =>
  Buffer.concat([
    uint(2, options.version ?? 0x0303),
    options.random ?? Buffer.alloc(32, 1),
    vector(1, options.session ?? SESSION),
    uint(2, options.suite ?? 0x1301),
    uint(1, options.compression ?? 0),
    vector(2, ...(options.extensions ?? [TLS13, SHARE])),
    options.rest ?? Buffer.alloc(0),
  ])
const TLS12: HelloOptions = { suite: 0xc02f, session: Buffer.alloc(0), extensions: [extension(0x17, Buffer.alloc(0))] }
const marked = (last: number) => Buffer.concat([Buffer.alloc(24, 1), Buffer.from('DOWNGRD'), uint(1, last)])

it('reads a ServerHello of either version', () => {
  expect(readServerHello(toHello(), SESSION)).toMatchObject({ isTls13: true, isRetry: false, suiteId: 0x1301 })
  expect(readServerHello(toHello(TLS12), SESSION)).toMatchObject({ isTls13: false, suiteId: 0xc02f })
})

it('refuses each ServerHello that breaks the protocol', async () => {
  const offenders = await findOffenders<[string, HelloOptions, string]>([
    ['TLS 1.1', { ...TLS12, version: 0x0302 }, 'protocol_too_old'],
    ['a downgrade to TLS 1.2', { ...TLS12, random: marked(1) }, 'tls_failed: downgrade'],
    ['a downgrade to TLS 1.1', { ...TLS12, random: marked(0) }, 'tls_failed: downgrade'],
    ['a cipher of RSA key exchange', { ...TLS12, suite: 0x009c }, 'tls_failed: cipher that was not offered'],
    ['a cipher of the other version', { ...TLS12, suite: 0x1301 }, 'tls_failed: cipher of another version'],
    ['TLS 1.3 with a cipher of TLS 1.2', { suite: 0xc02f }, 'tls_failed: cipher of another version'],
    [
      'a draft of TLS 1.3',
      { extensions: [extension(0x2b, uint(2, 0x7f1c)), SHARE] },
      'tls_failed: version not offered',
    ],
    ['another session in TLS 1.3', { session: Buffer.alloc(32, 8) }, 'tls_failed: session that was not offered'],
    ['our session in TLS 1.2', { ...TLS12, session: SESSION }, 'tls_failed: session that was not offered'],
    ['compression', { compression: 1 }, 'tls_failed: compression'],
    ['an extension twice', { extensions: [TLS13, TLS13] }, 'tls_failed: extension twice'],
    [
      'an extension that was not offered',
      { extensions: [TLS13, SHARE, extension(0x29, uint(2, 0))] },
      'tls_failed: extension that was not offered',
    ],
    [
      'a renegotiation',
      { ...TLS12, extensions: [extension(0xff01, Buffer.from([1, 5]))] },
      'tls_failed: renegotiation',
    ],
    ['bytes behind it', { rest: Buffer.from([0]) }, 'tls_failed: trailing bytes'],
  ])((_, options, reason) => {
    expect(reasonOf(() => readServerHello(toHello(options), SESSION))).toBe(reason)
  })
  expect(offenders).toEqual([])
})

it('refuses half a ServerHello', () => {
  expect(reasonOf(() => readServerHello(toHello().subarray(0, 50), SESSION))).toBe('tls_failed: short message')
})

const record = (type: number, body: Uint8Array): Buffer => Buffer.concat([toHeader(type, body.length), body])
const alert = (description: number): Buffer => record(21, Buffer.from([2, description]))
const message = (type: number, body: Uint8Array): Buffer => record(22, toMessage(type, body))
/** Answers the session id of the ClientHello, which begins at byte 44 of its record. */
const echo = (hello: Buffer, options: HelloOptions): Buffer =>
  message(2, toHello({ session: hello.subarray(44, 76), ...options }))
const RETRY = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex')
const retryFor = (group: number): HelloOptions => ({
  random: RETRY,
  extensions: [TLS13, extension(0x33, uint(2, group))],
})
const smallOrder = extension(0x33, Buffer.concat([uint(2, 0x1d), vector(2, Buffer.alloc(32))]))
const offCurve = extension(0x33, Buffer.concat([uint(2, 0x17), vector(2, Buffer.from([4]), Buffer.alloc(64, 1))]))

it('refuses each server that breaks the protocol, with the reason', async () => {
  const offenders = await findOffenders<[string, (hello: Buffer) => readonly (Buffer | null)[], string]>([
    ['hangs up', () => [null], 'not_tls'],
    ['speaks LDAP', () => [Buffer.from('300c02010061070a010004000400', 'hex')], 'not_tls'],
    ['speaks SSH', () => [Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')], 'not_tls'],
    ['speaks SSL 2', () => [Buffer.from([0x16, 2, 0, 0, 0])], 'not_tls'],
    ['sends half a record', () => [Buffer.from([22, 3, 3, 0, 9, 2]), null], 'closed: TLS handshake'],
    ['sends a record beyond its limit', () => [toHeader(22, 20_000)], 'tls_failed: record overflow'],
    ['sends data before encryption', () => [record(23, Buffer.from('x'))], 'tls_failed: data before encryption'],
    ['sends an empty record', () => [record(22, Buffer.alloc(0))], 'tls_failed: data before encryption'],
    [
      'sends a message of 16 MB',
      () => [record(22, Buffer.from([2, 0xff, 0xff, 0xff]))],
      'tls_failed: handshake message too large',
    ],
    ['begins with a certificate', () => [message(11, Buffer.alloc(3))], 'tls_failed: message 11 instead of 2'],
    ['has no cipher in common', () => [alert(40)], 'ciphers_too_old: alert 40'],
    ['finds our ciphers too weak', () => [alert(71)], 'ciphers_too_old: alert 71'],
    ['knows older versions alone', () => [alert(70)], 'protocol_too_old: alert 70'],
    ['does not know the name', () => [alert(112)], 'wrong_name: alert 112'],
    ['has a fault', () => [alert(80)], 'tls_failed: alert 80'],
    ['closes', () => [alert(0)], 'closed: TLS handshake'],
    ['sends a malformed alert', () => [record(21, Buffer.from([2]))], 'tls_failed: alert malformed'],
    ['asks twice', (hello) => [echo(hello, retryFor(0x18))], 'tls_failed: answer to a second ClientHello'],
    ['asks for a group that was sent', (hello) => [echo(hello, retryFor(0x17))], 'tls_failed: group of a retry'],
    ['asks for a group that nobody has', (hello) => [echo(hello, retryFor(0x100))], 'tls_failed: group of a retry'],
    [
      'asks for nothing',
      (hello) => [echo(hello, { random: RETRY, extensions: [TLS13] })],
      'tls_failed: retry without a change',
    ],
    ['has no key share', (hello) => [echo(hello, { extensions: [TLS13] })], 'tls_failed: no key share'],
    ['has a share of small order', (hello) => [echo(hello, { extensions: [TLS13, smallOrder] })], 'tls_failed'],
    [
      'has a share off the curve',
      (hello) => [echo(hello, { extensions: [TLS13, offCurve] })],
      'tls_failed: key share that is no point',
    ],
    [
      'sends more under the key of before',
      (hello) => [record(22, Buffer.concat([echo(hello, {}).subarray(5), Buffer.from([8])]))],
      'tls_failed: data across a change of keys',
    ],
    [
      'goes on without encryption',
      (hello) => [echo(hello, {}), message(8, vector(2))],
      'tls_failed: unencrypted record',
    ],
    [
      'sends one ChangeCipherSpec after the other',
      (hello) => [echo(hello, {}), ...Array.from({ length: 5 }, () => record(20, Buffer.from([1])))],
      'tls_failed: ChangeCipherSpec',
    ],
    [
      'sends a record that nobody encrypted',
      (hello) => [echo(hello, {}), record(23, Buffer.alloc(40, 1))],
      'tls_failed: record that was altered on the way',
    ],
  ])(async (_, answer, reason) => {
    const pipe = createMemoryPipe(answer)
    const failure = await openTls(pipe, 'ldap.qiming.com', () => {}).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(DirectoryError)
    expect((failure as DirectoryError).message.startsWith(reason)).toBe(true)
  })
  expect(offenders).toEqual([])
})

it('names the server in its first message, but no address', async () => {
  const hello = async (name: string) => {
    const pipe = createMemoryPipe(() => [null])
    await openTls(pipe, name, () => {}).catch(() => {})
    return pipe.written
  }
  expect((await hello('LDAP.Qiming.com')).includes('ldap.qiming.com')).toBe(true)
  expect((await hello('203.0.113.7')).includes('203.0.113.7')).toBe(false)
})

/** Vectors: RFC 8448 §3 (TLS 1.3), and the one of the IETF's TLS list for P_SHA256 (TLS 1.2). */
it('derives keys as the standards do', () => {
  const secret = Buffer.from('b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38', 'hex')
  const none = Buffer.alloc(0)
  expect(expandLabel('sha256', secret, 'key', none, 16).toString('hex')).toBe('3fce516009c21727d0f2e4e86ee403bc')
  expect(expandLabel('sha256', secret, 'iv', none, 12).toString('hex')).toBe('5d313eb2671276ee13000b30')
  const key = Buffer.from('9bbe436ba940f017b17652849a71db35', 'hex')
  const seed = Buffer.from('a0ba9f936cda311827a6f796ffd5198c', 'hex')
  expect(prf('sha256', key, 'test label', seed, 100).toString('hex')).toBe(
    'e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a' +
      '6b301791e90d35c9c9a46b4e14baf9af0fa022f7077def17abfd3797c0564bab' +
      '4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff701' +
      '87347b66',
  )
})
