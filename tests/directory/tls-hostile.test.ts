import { connect } from 'cloudflare:sockets'
import { expect, inject, it } from 'vitest'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import { FAKE_ACCOUNT, FAKE_BASE, FAKE_USERS } from '#tests/support/directory/fake-ldap.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { catchFailure } from './failures.ts'

const { ports, authorities } = inject('tls')

const open = (server: keyof typeof ports, limits = DIRECTORY as Parameters<typeof openDirectory>[4]) =>
  openDirectory(
    {
      host: '127.0.0.1',
      port: ports[server],
      security: 'ldaps',
      certificateName: SERVER_NAME,
      ca: { kind: 'file', pem: authorities.ca },
    },
    FAKE_ACCOUNT,
    ({ host, port }) => dialSocket(connect, host, port, 5_000),
    Date.now,
    limits,
  )

async function list(server: keyof typeof ports): Promise<readonly DirectoryEntry[]> {
  const connection = await open(server)
  const users: DirectoryEntry[] = []
  const query = { baseDn: FAKE_BASE, filter: null, usernameAttribute: null, phoneAttribute: null }
  await connection.listUsers(query, (page) => void users.push(...page))
  connection.close()
  return users
}

it.each(['wrongKey13', 'wrongKey12'] as const)(
  'refuses a server with the right certificate and another key before it sends the password: %s',
  async (server) => {
    expect(await catchFailure(open(server))).toBe('tls_failed')
  },
)

it.each(['rightKey13', 'rightKey12'] as const)('accepts the same server with its own key: %s', async (server) => {
  expect(await list(server)).toHaveLength(FAKE_USERS)
})

it('follows a server that changes the keys with each request', async () => {
  expect(await list('keyUpdate')).toHaveLength(FAKE_USERS)
})

it.each(['flipped13', 'flipped12'] as const)('notices a bit that was flipped on the way: %s', async (server) => {
  expect(await catchFailure(list(server))).toBe('tls_failed')
})

it.each(['truncated13', 'truncated12'] as const)('takes no listing that was cut short: %s', async (server) => {
  expect(await catchFailure(list(server))).toBe('closed')
})

it.each(['dribbled13', 'dribbled12'] as const)('reads a listing that comes byte by byte: %s', async (server) => {
  const users = await list(server)
  expect(users).toHaveLength(FAKE_USERS)
  expect(users[7]).toMatchObject({ username: 'user00007', displayName: '李娜7', phones: ['13910000007'] })
})

it('ends a handshake that nobody answers', async () => {
  expect(await catchFailure(open('silent', { ...DIRECTORY, handshakeMs: 50 }))).toBe('timeout')
})
