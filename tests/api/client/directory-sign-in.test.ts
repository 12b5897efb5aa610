import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import { ldapConfigs } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { loginRecords } from '#tests/support/clients.ts'
import { type FakeDirectory, createTestDirectory, entry, runNow } from '#tests/support/directory.ts'
import { worker } from '#tests/support/directory-company.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

const SECRET = 'p' // a directory has rules of its own

/** A company whose member li.na came out of its directory. */
async function createImported() {
  const test = await createTestDirectory([entry('li.na')])
  await runNow(test)
  test.directory.passwords.set('uid=li.na,dc=test', SECRET)
  const login = (password = SECRET) =>
    worker.call(clientApi.login, { username: `li.na@${test.sign}`, password }, { ip: nextAddress() })
  return { ...test, login }
}

describe('directory 1 · an imported member signs in with the password of its directory', () => {
  it('no table stores that password', async () => {
    const { login, directory, sign, accountId } = await createImported()
    expect(await login()).toMatchObject({ code: 200, data: { router_name: `li.na@${sign}` }, trips: 2 })
    expect(directory.bound).toEqual([{ dn: 'uid=li.na,dc=test', password: SECRET }])
    const [row] = await db.select().from(routers).where(eq(routers.accountId, accountId))
    expect(row).toMatchObject({ password: '!', passwordSealed: null })
  })

  it('by its id, wherever it has moved to', async () => {
    const { login, directory } = await createImported()
    directory.users = [entry('li.na', { dn: 'uid=li.na,ou=moved,dc=test' })]
    directory.passwords.set('uid=li.na,ou=moved,dc=test', 'Moved2026')
    expect(await login('Moved2026')).toMatchObject({ code: 200 })
  })

  it('with no other', async () => {
    const { login, accountId } = await createImported()
    for (const password of ['!', 'Wrong2026']) expect(await login(password)).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await loginRecords(accountId)).toMatchObject([{ ok: 0, reason: '密码错误' }, { ok: 0 }])
  })

  it('not once it is gone from the directory, or disabled here', async () => {
    const { login, directory, accountId } = await createImported()
    await db.update(routers).set({ status: 0 }).where(eq(routers.accountId, accountId))
    expect(await login()).toMatchObject(refusal('MEMBER_DISABLED'))
    directory.users = []
    expect(await login()).toMatchObject(refusal('LOGIN_FAILED'))
  })

  it('three wrong ones pause it here, from wherever they come: the directory gets no fourth', async () => {
    const { login, directory } = await createImported()
    const replies = await Promise.all(Array.from({ length: 12 }, () => login('Wrong2026')))
    expect(directory.bound).toHaveLength(LDAP_SIGN_IN.failures)
    expect(replies.filter(({ reason }) => reason === 'LOGIN_PAUSED')).toHaveLength(12 - LDAP_SIGN_IN.failures)
    expect(await login()).toMatchObject({ code: 429, reason: 'LOGIN_PAUSED' })
    expect(directory.bound).toHaveLength(LDAP_SIGN_IN.failures)
  })

  it('a right one forgets the wrong ones before it', async () => {
    const { login } = await createImported()
    for (let i = 0; i < 2; i++) {
      for (let wrong = 0; wrong < LDAP_SIGN_IN.failures - 1; wrong++) await login('Wrong2026')
      expect((await login()).code).toBe(200)
    }
  })

  it('while the directory is away nobody does, and nothing counts', async () => {
    const { login, directory, stub, accountId } = await createImported()
    const away = { code: 422, reason: 'DIRECTORY_UNAVAILABLE', msg: '目录服务不可用，请联系管理员' }
    directory.unreachable = new DirectoryError('timeout')
    for (let i = 0; i < 5; i++) expect(await login()).toMatchObject(away)
    directory.unreachable = null
    expect(await login()).toMatchObject({ code: 200 })
    expect((await loginRecords(accountId)).map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 5 }, () => '目录服务不可用'),
      '',
    ])
    expect(await stub.signIn({ key: 'id-li.na', directoryId: 'id-li.na' }, '')).toBe('wrong')
  })

  it('a locked or expired account of the directory is a wrong password', async () => {
    const { login, directory } = await createImported()
    directory.bindFailure = new DirectoryError('bind_locked')
    expect(await login()).toMatchObject(refusal('LOGIN_FAILED'))
  })

  it('a state of the user in the directory is the reason in the log, and in no answer', async () => {
    const disabled = entry('li.na', { isDisabled: true })
    const offenders = await findOffenders<[string, (directory: FakeDirectory) => void, string]>([
      ['disabled', (directory) => void (directory.users = [disabled]), '目录中已禁用'],
      ['gone', (directory) => void (directory.users = []), '目录中已删除'],
      ...(
        [
          ['bind_disabled', '目录中已禁用'],
          ['bind_locked', '目录账号已锁定'],
          ['bind_expired_account', '目录账号已过期'],
          ['bind_expired_password', '目录密码已过期'],
          ['bind_restricted', '目录账号不允许此时登录'],
        ] as const
      ).map(([failure, reason]): [string, (directory: FakeDirectory) => void, string] => [
        failure,
        (directory) => void (directory.bindFailure = new DirectoryError(failure)),
        reason,
      ]),
    ])(async (_, change, reason) => {
      const { login, directory, accountId } = await createImported()
      change(directory)
      expect(await login()).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await loginRecords(accountId)).toMatchObject([{ ok: 0, reason }])
    })
    expect(offenders).toEqual([])
  })

  it('never over a public connection without encryption', async () => {
    const { login, directory, accountId } = await createImported()
    await db.update(ldapConfigs).set({ security: 'none' }).where(eq(ldapConfigs.accountId, accountId))
    expect(await login()).toMatchObject(refusal('DIRECTORY_UNAVAILABLE'))
    expect(directory.bound).toEqual([])
  })
})
