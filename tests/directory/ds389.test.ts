import { connect } from 'cloudflare:sockets'
import { describe, expect, inject, it } from 'vitest'
import type { DirectoryEntry, UserQuery } from '#domain/ldap/directory-entry.ts'
import { readPhone } from '#domain/ldap/mapping.ts'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import { DS389_ACCOUNT, DS389_SUFFIX } from '#tests/support/directory/ds389-people.ts'
import { catchFailure } from './failures.ts'

const server = inject('ds389')
const QUERY: UserQuery = { baseDn: DS389_SUFFIX, filter: null, usernameAttribute: null, phoneAttribute: null }

const open = () =>
  openDirectory(
    {
      host: '127.0.0.1',
      port: server?.port ?? 0,
      security: 'none',
      certificateName: null,
      ca: { kind: 'public' },
    },
    DS389_ACCOUNT,
    ({ host, port }) => dialSocket(connect, host, port, 5_000),
    Date.now,
  )

describe.skipIf(server === null)('a real 389-ds', () => {
  it('is recognised, and its people are found without a filter, with their states and phones', async () => {
    const connection = await open()
    expect(connection.server.kind).toBe('389ds')
    const users: DirectoryEntry[] = []
    await connection.listUsers(QUERY, (page) => void users.push(...page))
    const shown = users.map(({ username, displayName, phones, isDisabled }) => [
      username,
      displayName,
      readPhone(phones).phone,
      isDisabled,
    ])
    expect(shown.filter(([username]) => username !== 'demo_user').toSorted()).toEqual([
      ['li.na', '李娜', '+852 91234567', false],
      ['wang.wei', '王伟', '', true],
      ['zhao', '赵六', '', false],
    ])
    const [person] = users.filter(({ username }) => username === 'li.na')
    expect(person?.id).toMatch(/^[0-9a-f-]{35,36}$/) // entryUUID, or nsUniqueId without its plugin
    connection.close()
  })

  it('finds a person by its id, and binds as it; a locked one is refused as disabled', async () => {
    const connection = await open()
    const users: DirectoryEntry[] = []
    await connection.listUsers(QUERY, (page) => void users.push(...page))
    const idOf = (name: string) => users.find(({ username }) => username === name)!.id
    const found = await connection.findEntry(QUERY, idOf('li.na'))
    expect(found).toMatchObject({ isDisabled: false })
    expect(await connection.bindAs(found!.dn, 'Pw-2026-li.na')).toBe(true)
    expect(await connection.bindAs(found!.dn, 'wrong')).toBe(false)
    const locked = await connection.findEntry(QUERY, idOf('wang.wei'))
    expect(locked).toMatchObject({ isDisabled: true })
    expect(await catchFailure(connection.bindAs(locked!.dn, 'Pw-2026-wang.wei'))).toBe('bind_disabled')
    connection.close()
  })
})
