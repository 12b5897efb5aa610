import { connect } from 'cloudflare:sockets'
import { describe, expect, inject, it } from 'vitest'
import type { DirectoryEntry, UserQuery } from '#domain/ldap/directory-entry.ts'
import {
  type DirectoryAccount,
  type DirectoryConnection,
  type DirectoryTarget,
  openDirectory,
} from '#outside/ldap/directory-connection.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import { READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { catchFailure } from './failures.ts'

const slapd = inject('slapd')
const [PLAIN_PORT, LDAPS_PORT] = [slapd?.port ?? 0, slapd?.ldapsPort ?? 0]
const QUERY: UserQuery = { baseDn: SUFFIX, filter: null, usernameAttribute: null, phoneAttribute: null }

function open(target: Partial<DirectoryTarget> = {}, account: DirectoryAccount = READER): Promise<DirectoryConnection> {
  const ca = { kind: 'file', pem: slapd?.ca ?? '' } as const
  const whole: DirectoryTarget = {
    host: '127.0.0.1',
    port: PLAIN_PORT,
    security: 'none',
    certificateName: SERVER_NAME,
    ca,
    ...target,
  }
  return openDirectory(whole, account, ({ host, port }) => dialSocket(connect, host, port, 5_000), Date.now)
}

async function list(connection: DirectoryConnection, query: UserQuery = QUERY) {
  const pages: number[] = []
  const users: DirectoryEntry[] = []
  await connection.listUsers(query, (page) => {
    pages.push(page.length)
    users.push(...page)
  })
  return { pages, users }
}

const SECURITIES = [
  ['none', PLAIN_PORT, null],
  ['starttls', PLAIN_PORT, '1.3'],
  ['ldaps', LDAPS_PORT, '1.3'],
] as const

// Without an installed slapd these are skipped: npm test says what to install.
describe.skipIf(slapd === null)('OpenLDAP', () => {
  it.each(SECURITIES)('lists 2,000 people page by page over %s', async (security, port, tlsVersion) => {
    const connection = await open({ security, port })
    expect(connection.server).toMatchObject({ kind: 'openldap', tlsVersion })
    const { pages, users } = await list(connection)
    expect(pages).toEqual([500, 500, 500, 500])
    expect(users.filter(({ isDisabled }) => isDisabled)).toHaveLength(286)
    expect(new Set(users.map(({ id }) => id)).size).toBe(2_000)
    connection.close()
  })

  it('reads a person as the directory has it', async () => {
    const connection = await open()
    const { users } = await list(connection, { ...QUERY, filter: `(uid=${toPerson(11).uid})` })
    const { uid, name, dn } = toPerson(11)
    expect(users).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        dn,
        username: uid,
        displayName: name,
        description: '市场部 11 号员工',
        phones: ['13910000011'],
        isDisabled: false,
      },
    ])
    connection.close()
  })

  it('takes a filter in Chinese, escaped and not', async () => {
    const connection = await open()
    const escaped = Buffer.from('李')
      .toString('hex')
      .replaceAll(/../g, String.raw`\$&`)
    const [plain, same] = [
      await list(connection, { ...QUERY, filter: '(sn=李)' }),
      await list(connection, { ...QUERY, filter: `sn=${escaped}` }),
    ]
    expect(plain.users.length).toBe(182)
    expect(same.users).toEqual(plain.users)
    connection.close()
  })

  it.each([
    ['entryUUID', 3],
    ['objectGUID', 4],
  ])('finds an entry by its %s and binds as it', async (_, index) => {
    const { uid, dn, password } = toPerson(index === 3 ? 2 : index)
    const connection = await open()
    const { users } = await list(connection, { ...QUERY, filter: `(uid=${uid})` })
    const id = users[0]?.id ?? ''
    expect(await connection.findEntry(QUERY, id)).toEqual({ dn, isDisabled: false })
    expect(await connection.bindAs(dn, 'wrong')).toBe(false)
    expect(await connection.bindAs(dn, '')).toBe(false)
    expect(await connection.bindAs(dn, password)).toBe(true)
    expect(await connection.findEntry(QUERY, id)).toEqual({ dn, isDisabled: false }) // as the account again
    expect(await connection.findEntry(QUERY, '00000000-0000-0000-0000-000000000000')).toBeNull()
    connection.close()
  })

  it('says of a person that it is disabled, also where the server would bind it', async () => {
    const { uid, isDisabled } = toPerson(10)
    expect(isDisabled).toBe(true)
    const connection = await open()
    const { users } = await list(connection, { ...QUERY, filter: `(uid=${uid})` })
    expect(await connection.findEntry(QUERY, users[0]?.id ?? '')).toMatchObject({ isDisabled: true })
  })

  it('answers calls at the same time one after the other', async () => {
    const connection = await open({ security: 'ldaps', port: LDAPS_PORT })
    const { dn, password } = toPerson(5)
    const [listed, isBound, again] = await Promise.all([
      list(connection),
      connection.bindAs(dn, password),
      list(connection),
    ])
    expect([listed.users.length, isBound, again.users.length]).toEqual([2_000, true, 2_000])
    connection.close()
  })

  it.each([
    ['a wrong password', {}, { ...READER, password: 'wrong' }, 'bind_refused'],
    ['no password', {}, { ...READER, password: '' }, 'bind_refused'],
    ['an unknown account', {}, { ...READER, bindDn: `cn=nobody,${SUFFIX}` }, 'bind_refused'],
    ['no encryption where TLS is spoken', { port: LDAPS_PORT }, READER, 'tls_needed'],
    ['TLS where LDAP is spoken', { security: 'ldaps' }, READER, 'not_tls'],
    ['another name', { security: 'starttls', certificateName: 'dc1.corp.local' }, READER, 'wrong_name'],
    ['a public authority', { security: 'starttls', ca: { kind: 'public' } }, READER, 'wrong_public_ca'],
    ['a port where nobody listens', { port: 1 }, READER, 'unreachable'],
  ] as const)('refuses %s', async (_, target, account, reason) => {
    expect(await catchFailure(open(target, account))).toBe(reason)
  })

  it.each([
    ['a base that is not there', { baseDn: `ou=nobody,${SUFFIX}` }, 'base_missing'],
    ['a base that is no name', { baseDn: 'qiming' }, 'base_invalid'],
    ['a base of another directory', { baseDn: 'dc=other,dc=test' }, 'base_missing'],
    ['a filter that is none', { filter: '(uid=' }, 'filter_invalid'],
  ] as const)('refuses %s', async (_, query, reason) => {
    const connection = await open()
    expect(await catchFailure(list(connection, { ...QUERY, ...query }))).toBe(reason)
  })
})
