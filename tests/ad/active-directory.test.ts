import { connect } from 'cloudflare:sockets'
import { expect, inject, it } from 'vitest'
import type { DirectoryEntry, UserQuery } from '#domain/ldap/directory-entry.ts'
import { type DirectoryConnection, openDirectory } from '#outside/ldap/directory-connection.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import { catchFailure } from '#tests/directory/failures.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { AD, type AdState, toAdUser } from '#tests/support/directory/samba.ts'

const { ca } = inject('ad')
const QUERY: UserQuery = { baseDn: AD.suffix, filter: null, usernameAttribute: null, phoneAttribute: null }

const open = (
  security: 'none' | 'starttls' | 'ldaps' = 'ldaps',
  bindDn: string = AD.accounts[0],
  password: string = AD.password,
): Promise<DirectoryConnection> =>
  openDirectory(
    {
      host: '127.0.0.1',
      port: security === 'ldaps' ? 636 : 389,
      security,
      certificateName: SERVER_NAME,
      ca: { kind: 'file', pem: ca },
    },
    { bindDn, password },
    ({ host, port }) => dialSocket(connect, host, port, 5_000),
    Date.now,
  )

async function list(connection: DirectoryConnection, filter: string | null = null) {
  const pages: number[] = []
  const users: DirectoryEntry[] = []
  await connection.listUsers({ ...QUERY, filter }, (page) => {
    pages.push(page.length)
    users.push(...page)
  })
  return { pages, users: users.filter(({ username }) => username.startsWith('li.na.')) }
}

it.each(['ldaps', 'starttls'] as const)('lists people with their state over %s', async (security) => {
  const connection = await open(security)
  expect(connection.server).toMatchObject({ kind: 'ad', tlsVersion: '1.3' })
  const { pages, users } = await list(connection)
  expect(pages[0]).toBe(500)
  expect(users).toHaveLength(AD.users)
  const disabled = users.filter(({ isDisabled }) => isDisabled).map(({ username }) => username)
  const expected = Array.from({ length: AD.users }, (_, index) => toAdUser(index)).filter(({ state }) =>
    ['disabled', 'expired'].includes(state),
  )
  expect(disabled.toSorted()).toEqual(expected.map(({ username }) => username).toSorted())
  connection.close()
})

it.each(AD.accounts)('binds as %s', async (account) => {
  const connection = await open('ldaps', account)
  connection.close()
  expect(connection.server.kind).toBe('ad')
})

it('refuses a bind without encryption and says that it wants some', async () => {
  expect(await catchFailure(open('none'))).toBe('starttls_needed')
})

it('refuses a wrong password', async () => {
  expect(await catchFailure(open('ldaps', AD.accounts[0], 'wrong'))).toBe('bind_refused')
})

it('finds a person by objectGUID and signs in as the directory lets', async () => {
  const connection = await open()
  const { dn, username, displayName, phone, password } = toAdUser(2)
  const { users } = await list(connection, `(sAMAccountName=${username})`)
  expect(users).toMatchObject([{ dn, username, displayName, phones: [phone], isDisabled: false }])
  const id = users[0]?.id ?? ''
  expect(await connection.findEntry(QUERY, id)).toEqual({ dn, isDisabled: false })
  expect(await connection.bindAs(dn, 'wrong')).toBe(false)
  expect(await connection.bindAs(dn, password)).toBe(true)
  expect(
    await connection.findEntry(
      QUERY,
      id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    ),
  ).toBeNull()
  connection.close()
})

it.each<[AdState, string]>([
  ['disabled', 'bind_disabled'],
  ['expired', 'bind_expired_account'],
  ['mustChange', 'bind_expired_password'],
])('a person that is %s does not sign in: %s', async (state, reason) => {
  const user = Array.from({ length: 12 }, (_, index) => toAdUser(index)).find((each) => each.state === state)
  const connection = await open()
  expect(await catchFailure(connection.bindAs(user?.dn ?? '', user?.password ?? ''))).toBe(reason)
  connection.close()
})

it('a filter leaves out the accounts of the domain itself', async () => {
  const connection = await open()
  const names = async (filter: string) => {
    const found: string[] = []
    await connection.listUsers({ ...QUERY, filter }, (page) => void found.push(...page.map(({ username }) => username)))
    return found
  }
  const own = ['Administrator', 'Guest', 'krbtgt']
  expect(await names('(objectClass=user)')).toEqual(expect.arrayContaining(own))
  const people = await names('(&(objectCategory=person)(objectClass=user)(!(isCriticalSystemObject=TRUE)))')
  expect(people.length).toBeGreaterThanOrEqual(AD.users)
  expect(people.filter((name) => own.includes(name))).toEqual([])
  connection.close()
})

it('takes the rule for bits in a filter', async () => {
  const connection = await open()
  const { users } = await list(connection, '(userAccountControl:1.2.840.113556.1.4.803:=2)')
  expect(users).toHaveLength(AD.users / 6)
  connection.close()
})

it.each([
  ['a base that is not there', 'OU=nobody,DC=ad,DC=test', 'base_missing'],
  ['a base of another domain', 'DC=other,DC=test', 'base_missing'],
])('refuses %s', async (_, baseDn, reason) => {
  const connection = await open()
  expect(await catchFailure(connection.listUsers({ ...QUERY, baseDn }, () => {}))).toBe(reason)
})
