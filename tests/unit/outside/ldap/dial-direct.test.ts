import { expect, it } from 'vitest'
import { createDirectDial } from '#outside/ldap/dial-direct.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import type { TcpSocket } from '#outside/ldap/socket.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'ldap.qiming.com': ['93.184.216.34', '2606:2800:220:1::1', '8.8.8.8'],
  'rebind.qiming.com': ['93.184.216.34', '10.0.0.5'],
  'metadata.qiming.com': ['169.254.169.254'],
  'xn--fiqs8s.com': ['93.184.216.35'],
  'dc1.qiming.com': ['93.184.216.34', '8.8.8.8', '2606:2800:0220:0001:0000:0000:0000:0001'],
}

function createDial(
  isOpen: (hostname: string) => boolean = () => true,
  env: Partial<Env> = {},
  certificateName = 'dc1.qiming.com',
) {
  const dialled: string[] = []
  const connect = ({ hostname, port }: { hostname: string; port: number }): TcpSocket => {
    dialled.push(`${hostname}:${port}`)
    const opened = isOpen(hostname) ? Promise.resolve() : Promise.reject(new Error(`refused by ${hostname}`))
    const stream = new TransformStream<Uint8Array, Uint8Array>()
    return {
      readable: new ReadableStream({ type: 'bytes' }),
      writable: stream.writable,
      opened,
      closed: Promise.resolve(),
      close: async () => {},
    }
  }
  const resolve = async (host: string) => {
    if (host === 'lame.qiming.com') throw new Error('SERVFAIL')
    return NAMES[host] ?? []
  }
  const dial = createDirectDial({ ENVIRONMENT: 'production', ...env }, { resolve, connect }, certificateName)
  return { dialled, dial }
}

async function tryDial(host: string, port = 389, ...options: Parameters<typeof createDial>) {
  const { dial, dialled } = createDial(...options)
  try {
    await dial({ host, port })
    return { dialled, reason: null }
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    return { dialled, reason: error.reason, message: error.message }
  }
}

it.each<[string, number, string]>([
  ['ldap.qiming.com', 389, '93.184.216.34:389'],
  ['LDAP.QiMing.com.', 636, '93.184.216.34:636'],
  ['中国.com', 3268, '93.184.216.35:3268'],
  ['8.8.8.8', 3269, '8.8.8.8:3269'],
  ['2606:2800:220:1::1', 636, '[2606:2800:220:1::1]:636'],
  ['[2606:2800:220:1::1]', 636, '[2606:2800:220:1::1]:636'],
])('%s:%i is dialled by its address', async (host, port, address) => {
  expect(await tryDial(host, port)).toEqual({ dialled: [address], reason: null })
})

it('private addresses, unknown names and other ports are not dialled', async () => {
  const offenders = await findOffenders<[string, number, string]>([
    ['127.0.0.1', 389, 'private_address'],
    ['127.1', 389, 'private_address'],
    ['2130706433', 389, 'private_address'],
    ['0x7f.1', 389, 'private_address'],
    ['１２７.0.0.1', 389, 'private_address'],
    ['10.0.0.5', 389, 'private_address'],
    ['100.64.0.1', 389, 'private_address'],
    ['169.254.169.254', 389, 'private_address'],
    ['0.0.0.0', 389, 'private_address'],
    ['::1', 389, 'private_address'],
    ['[::1]', 389, 'private_address'],
    ['::ffff:10.0.0.5', 389, 'private_address'],
    ['fd00::1', 389, 'private_address'],
    ['localhost', 389, 'private_address'],
    ['dc1', 389, 'private_address'],
    ['dc1.corp.local', 389, 'private_address'],
    ['rebind.qiming.com', 389, 'private_address'],
    ['metadata.qiming.com', 389, 'private_address'],
    ['nobody.qiming.com', 389, 'name_unknown'],
    ['ldap.qiming.com/x', 389, 'name_unknown'],
    ['user@ldap.qiming.com', 389, 'name_unknown'],
    ['ldap.qiming.com:22', 389, 'name_unknown'],
    ['', 389, 'name_unknown'],
    ['ldap.qiming.com', 22, 'port_not_allowed'],
    ['ldap.qiming.com', 443, 'port_not_allowed'],
  ])(async (host, port, reason) => {
    expect(await tryDial(host, port)).toMatchObject({ dialled: [], reason })
  })
  expect(offenders).toEqual([])
})

it('an address is dialled where the name of its certificate leads to it', async () => {
  const offenders = await findOffenders<[string, string, string | null]>([
    ['8.8.8.8', 'dc1.qiming.com', null],
    ['8.8.8.8', 'DC1.QiMing.com.', null],
    ['0x08080808', 'dc1.qiming.com', null],
    ['2606:2800:220:1::1', 'dc1.qiming.com', null],
    ['[2606:2800:220:1:0:0:0:1]', 'dc1.qiming.com', null],
    ['93.184.216.35', '中国.com', null],
    ['8.8.4.4', 'dc1.qiming.com', 'address_nameless'],
    ['2606:2800:220:1::2', 'dc1.qiming.com', 'address_nameless'],
    ['8.8.8.8', 'nobody.qiming.com', 'address_nameless'],
    ['8.8.8.8', '8.8.8.8', 'address_nameless'],
    ['8.8.8.8', '', 'address_nameless'],
    ['8.8.8.8', 'a b', 'address_nameless'],
    ['8.8.8.8', 'lame.qiming.com', 'name_unknown'],
    ['10.0.0.5', 'rebind.qiming.com', 'private_address'],
    ['ldap.qiming.com', 'nobody.qiming.com', null],
  ])(async (host, certificateName, reason) => {
    const { dialled, reason: found } = await tryDial(host, 636, undefined, {}, certificateName)
    expect([found, dialled.length]).toEqual([reason, reason === null ? 1 : 0])
  })
  expect(offenders).toEqual([])
})

it('a literal address of a local run needs no name', async () => {
  const LOCAL_DIRECTORIES = '203.0.113.5:636=127.0.0.1:13636'
  const { dialled } = await tryDial('203.0.113.5', 636, undefined, { ENVIRONMENT: 'local', LOCAL_DIRECTORIES }, '')
  expect(dialled).toEqual(['127.0.0.1:13636'])
})

it('tries the addresses of a name one by one', async () => {
  const { dialled, reason } = await tryDial('ldap.qiming.com', 636, (hostname) => hostname === '8.8.8.8')
  expect(reason).toBeNull()
  expect(dialled).toEqual(['93.184.216.34:636', '[2606:2800:220:1::1]:636', '8.8.8.8:636'])
})

it('says nothing of what the socket said', async () => {
  const { reason, message } = await tryDial('ldap.qiming.com', 636, () => false)
  expect([reason, message]).toEqual(['unreachable', 'unreachable'])
})

it('a local run alone dials its own directory', async () => {
  const LOCAL_DIRECTORIES = 'ldap.qiming.test:389=127.0.0.1:13389, ldap.qiming.test:636=127.0.0.1:13636'
  const local = await tryDial('ldap.qiming.test', 636, undefined, { ENVIRONMENT: 'local', LOCAL_DIRECTORIES })
  expect(local.dialled).toEqual(['127.0.0.1:13636'])
  const deployed = await tryDial('ldap.qiming.test', 636, undefined, { LOCAL_DIRECTORIES })
  expect(deployed).toMatchObject({ dialled: [], reason: 'private_address' })
})
