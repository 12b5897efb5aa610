import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { SESSION } from '#contract/login/limits.ts'
import { accounts, ramRoles, sessions } from '#db/schema/accounts.ts'
import { selectAudit, readCookie, openSessions, signIn } from '#tests/support/identity.ts'
import { createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const refresh = (cookie: string) => call(loginApi.refresh, {}, { cookie })

/** Makes the last rotation look this old. */
const age = (accountId: number, ms: number) =>
  db
    .update(sessions)
    .set({ rotatedAt: sql`${sessions.rotatedAt} - ${ms}` })
    .where(eq(sessions.accountId, accountId))

const endedSockets = (accountHub: string) =>
  hubCalls.filter(({ kind, hub, method }) => kind === 'account' && hub === accountHub && method === 'refresh')

describe('account 7 · login/refresh', () => {
  it('gives a new access token and the next cookie, in one round trip', async () => {
    const { username, accountId } = await createMainAccount()
    const first = readCookie(await signIn(username))
    const answer = await refresh(first)
    expect(answer).toMatchObject({ code: 200, trips: 1, data: { token_expire_time: 1800, user: { username } } })
    expect(readCookie(answer)).not.toBe(first)
    expect((await call(accountApi.info, {}, answer.data.access_token)).code).toBe(200)
    expect((await refresh(readCookie(answer))).code).toBe(200)
    expect(await openSessions(accountId)).toHaveLength(2) // the test's own and this one
  })

  it('keeps every unused successor good: answers that were lost sign nobody out, however late', async () => {
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const answers = []
    for (const lateMs of [0, SESSION.refreshGraceMs + 1, 3_600_000]) {
      await age(accountId, lateMs)
      answers.push(await refresh(cookie))
    }
    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200])
    expect(new Set(answers.map(readCookie)).size).toBe(3)
    expect((await refresh(readCookie(answers[1]!))).code).toBe(200)
  })

  it('lets tabs that refresh at once go on, each with its own successor, within ten seconds of the first use', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { username } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const tabs = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie)))
    expect(tabs.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
    const next = await Promise.all(tabs.map((tab) => refresh(readCookie(tab))))
    expect(next.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
    expect((await refresh(readCookie(next[3]!))).code).toBe(200)
  })

  it('retires the parent at the first use of a successor', async () => {
    const { username, accountId, hub } = await createMainAccount()
    const stolen = readCookie(await signIn(username))
    const current = readCookie(await refresh(readCookie(await refresh(stolen))))
    const thief = await refresh(stolen)
    expect(thief).toMatchObject({ ...refusal('SESSION_REVOKED'), data: null, trips: 2 })
    const [cookie, mark] = thief.headers.getSetCookie()
    expect(cookie).toContain('netloom_refresh=; Path=/api/v1/login; Max-Age=0')
    expect(mark).toContain('netloom_signed_in=1; Path=/; Max-Age=0')
    expect(await refresh(current)).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await selectAudit(accountId))[0]).toMatchObject({ action: 'refresh_reused', actorKind: 'system' })
    expect(endedSockets(hub)).toHaveLength(1)
  })

  it('retires the siblings ten seconds after the first use of one: a copied token ends the session', async () => {
    const { username, accountId } = await createMainAccount()
    const parent = readCookie(await signIn(username))
    const [own, copied] = [readCookie(await refresh(parent)), readCookie(await refresh(parent))]
    const current = readCookie(await refresh(own))
    await age(accountId, SESSION.refreshGraceMs + 1)
    expect(await refresh(copied)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refresh(current)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('ends nothing for a session id with a forged secret', async () => {
    const { username } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const [id] = /(?<==)[^.]+/.exec(cookie)!
    const forged = [`${id}.anything`, `${id}..x.${'A'.repeat(43)}`, cookie.slice(0, -3).slice(17) + 'AAA', `${id}...`]
    for (const secret of forged)
      expect(await refresh(`netloom_refresh=${secret}`)).toMatchObject({ ...refusal('TOKEN_BAD'), trips: 0 })
    expect((await refresh(cookie)).code).toBe(200)
  })

  it('ends a session thirty days after sign-in at the latest', async () => {
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const day = 86_400_000
    const createdAt = Date.now() - (SESSION.lifeDays - 1) * day
    await db.update(sessions).set({ createdAt }).where(eq(sessions.accountId, accountId))
    const answer = await refresh(cookie)
    const maxAge = Number(/Max-Age=(\d+)/.exec(answer.headers.get('set-cookie')!)![1])
    expect(maxAge).toBeGreaterThan(86_000)
    expect(maxAge).toBeLessThanOrEqual(86_400)
    expect((await openSessions(accountId)).map(({ expiresAt }) => expiresAt)).toContain(createdAt + 30 * day)
  })

  it.each(['', 'netloom_refresh=', 'netloom_refresh=garbage', 'netloom_refresh=no.such', 'other=x.y'])(
    'answers %j like a missing session',
    async (cookie) => expect(await refresh(cookie)).toMatchObject(refusal('TOKEN_BAD')),
  )

  it('answers expired for an expired session', async () => {
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    await db
      .update(sessions)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(sessions.accountId, accountId))
    expect(await refresh(cookie)).toMatchObject(refusal('TOKEN_EXPIRED'))
  })

  it('carries the current rights, and the previous access token is refused', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: [] })
    const before = await signIn(sub.username, {}, { kind: 'ram' })
    await db.update(ramRoles).set({ flags: '["monitor:view"]' }).where(eq(ramRoles.accountId, main.accountId))
    await db.update(sessions).set({ version: 2 }).where(eq(sessions.ramId, sub.ramId))
    expect(await call(accountApi.info, {}, before.data.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
    const after = await refresh(readCookie(before))
    expect(after.data.user.flags).toEqual(['monitor:view'])
    expect((await call(accountApi.info, {}, after.data.access_token)).code).toBe(200)
  })

  it('refuses a disabled account', async () => {
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    await db.update(accounts).set({ status: 0 }).where(eq(accounts.id, accountId))
    expect(await refresh(cookie)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('uses a Secure cookie of its own name anywhere but on this machine', async () => {
    const deployed = createTestWorker({ env: { ENVIRONMENT: 'production' } })
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    expect(await deployed.call(loginApi.refresh, {}, { cookie })).toMatchObject(refusal('TOKEN_BAD'))
    const answer = await deployed.call(loginApi.refresh, {}, { cookie: `__Secure-${cookie}` })
    expect(answer.code).toBe(200)
    const [refreshed, mark] = answer.headers.getSetCookie()
    expect(refreshed).toMatch(/^__Secure-netloom_refresh=.*; HttpOnly; SameSite=Strict; Secure$/)
    expect(mark).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
    expect(answer.headers.get('x-db-trips')).toBeNull()
    expect(accountId).toBeGreaterThan(0)
  })
})

describe('design 6 · login/logout', () => {
  it('ends the session of the access token, its refresh token and its sockets', async () => {
    const { username, accountId, hub } = await createMainAccount()
    const signed = await signIn(username)
    const token = signed.data.access_token
    expect(await call(loginApi.logout, {}, token)).toMatchObject({ code: 200, trips: 2 })
    expect(await call(accountApi.info, {}, token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refresh(readCookie(signed))).toMatchObject(refusal('SESSION_REVOKED'))
    expect(endedSockets(hub)).toHaveLength(1)
    expect((await selectAudit(accountId))[0]).toMatchObject({ module: 'login', action: 'sign_out' })
  })

  it('ends the session of the cookie alone, and clears it', async () => {
    const { username } = await createMainAccount()
    const signed = await signIn(username)
    const answer = await call(loginApi.logout, {}, { cookie: readCookie(signed) })
    expect(answer.code).toBe(200)
    expect(readCookie(answer)).toBe('netloom_refresh=')
    expect(await call(accountApi.info, {}, signed.data.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('ends no session for a cookie with the wrong secret, and does nothing without one', async () => {
    const { username } = await createMainAccount()
    const signed = await signIn(username)
    const forged = readCookie(signed).replace(/\..*$/, '.x')
    expect(await call(loginApi.logout, {}, { cookie: forged })).toMatchObject({ code: 200 })
    expect(await call(loginApi.logout, {})).toMatchObject({ code: 200, trips: 0 })
    expect((await call(accountApi.info, {}, signed.data.access_token)).code).toBe(200)
  })

  it('leaves the other sessions of the account alone', async () => {
    const main = await createMainAccount()
    await call(loginApi.logout, {}, (await signIn(main.username)).data.access_token)
    expect((await main.call(accountApi.info, {})).code).toBe(200)
  })
})
