import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { accounts, sessions, tokenLinks } from '#db/schema/accounts.ts'
import { selectAudit, readCookie, openSessions } from '#tests/support/identity.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

async function createLink(username: string, minutes = 60): Promise<string> {
  const { data } = await call(opsApi.tokenLink, { account: username, minutes })
  return new URL(data.url).searchParams.get('token')!
}

describe('account 7 · login/authorization', () => {
  it('signs in once, with the message of the console, in one round trip', async () => {
    const { username, accountId } = await createMainAccount()
    const token = await createLink(username)
    const answer = await call(loginApi.authorization, { token })
    expect(answer).toMatchObject({ code: 200, msg: '授权成功', trips: 2, data: { user: { username } } })
    expect((await call(accountApi.info, {}, answer.data.access_token)).code).toBe(200)
    expect(await call(loginApi.authorization, { token })).toMatchObject(refusal('LINK_BAD'))
    expect((await selectAudit(accountId)).map(({ message }) => message)).toEqual([
      '通过授权链接登录',
      '运营签发授权链接',
    ])
  })

  it('opens one session for ten parallel calls', async () => {
    const { username, accountId } = await createMainAccount()
    const token = await createLink(username)
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(loginApi.authorization, { token })))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await openSessions(accountId)).toHaveLength(2)
  })

  it('lives an hour, which a refresh does not prolong', async () => {
    const { username, accountId } = await createMainAccount()
    const first = await call(loginApi.authorization, { token: await createLink(username) })
    expect(first.headers.get('set-cookie')).toContain('Max-Age=3600;')
    await call(loginApi.refresh, {}, { cookie: readCookie(first) })
    const lives = (await db.select().from(sessions).where(eq(sessions.accountId, accountId))).map(
      ({ createdAt, expiresAt }) => expiresAt - createdAt,
    )
    expect(lives).toContain(3_600_000)
  })

  it('refuses a link that is too old, one made up, and one of a disabled account', async () => {
    const { username, accountId } = await createMainAccount()
    const old = await createLink(username)
    await db
      .update(tokenLinks)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(tokenLinks.accountId, accountId))
    expect(await call(loginApi.authorization, { token: old })).toMatchObject(refusal('LINK_BAD'))
    expect(await call(loginApi.authorization, { token: 'made-up' })).toMatchObject(refusal('LINK_BAD'))
    const fresh = await createLink(username)
    await db.update(accounts).set({ status: 0 }).where(eq(accounts.id, accountId))
    expect(await call(loginApi.authorization, { token: fresh })).toMatchObject(refusal('ACCOUNT_DISABLED'))
  })

  it('keeps no token, only its hash', async () => {
    const { username, accountId } = await createMainAccount()
    const token = await createLink(username)
    const [row] = await db.select().from(tokenLinks).where(eq(tokenLinks.accountId, accountId))
    expect(row!.tokenHash).not.toContain(token)
  })
})

describe('design 6 · login/token_link', () => {
  it('points to the account’s own host, or to the given configured host', async () => {
    const { username } = await createMainAccount()
    const [carried, unlisted] = [
      await createMainAccount({ host: 'lantu.netloom.cn' }),
      await createMainAccount({ host: 'unlisted' }),
    ]
    const ofAccount = async (account: string) => new URL((await call(opsApi.tokenLink, { account })).data.url).host
    expect(await ofAccount(carried.username)).toBe('lantu.netloom.cn')
    expect(await ofAccount(unlisted.username)).toBe('console.netloom.cn')
    const url = async (origin?: string) => (await call(opsApi.tokenLink, { account: username, origin })).data.url
    expect(await url()).toMatch(/^https:\/\/console\.netloom\.cn\/login\?token=[\w-]{43}$/)
    expect(await url('http://localhost:8787/any')).toMatch(/^http:\/\/localhost:8787\/login\?token=/)
    expect(await url('https://qianfan.netloom.cn')).toMatch(/^https:\/\/qianfan\.netloom\.cn\/login/)
  })

  it.each(['https://evil.example', 'http://console.netloom.cn', 'https://console.netloom.cn.evil.example'])(
    'refuses %s',
    async (origin) => {
      const { username } = await createMainAccount()
      expect(await call(opsApi.tokenLink, { account: username, origin })).toMatchObject(refusal('HOST_UNKNOWN'))
    },
  )

  it('points to this machine in a local run only', async () => {
    const { username: account } = await createMainAccount()
    const production = createTestWorker({ env: { ENVIRONMENT: 'production' } })
    for (const origin of ['http://localhost:8787', 'https://localhost', 'http://127.0.0.1', 'https://127.0.0.1:8443'])
      expect([origin, (await production.call(opsApi.tokenLink, { account, origin })).reason]).toEqual([
        origin,
        'HOST_UNKNOWN',
      ])
    const { data } = await production.call(opsApi.tokenLink, { account, origin: 'https://console.netloom.cn' })
    expect(data.url).toMatch(/^https:\/\/console\.netloom\.cn\/login/)
  })
})
