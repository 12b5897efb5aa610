import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { SESSION } from '../../../worker/contract/limits.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { accounts, ramRoles, sessions } from '../../../worker/db/schema/accounts.ts'
import { selectAudit, readCookie, openSessions, signIn } from '../../support/identity.ts'
import { createMainAccount, createSubAccount } from '../../support/fixtures.ts'
import { createTestWorker, call, db, hubCalls, refusal } from '../../support/test-worker.ts'

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

  it('hands two tabs that refresh at once the same successor', async () => {
    const { username } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const tabs = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie)))
    expect(tabs.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(tabs.map(readCookie)).size).toBe(1)
    expect((await refresh(readCookie(tabs[0]!))).code).toBe(200)
  })

  it('ends the session when an old token is reused after the grace period', async () => {
    const { username, accountId, hub } = await createMainAccount()
    const stolen = readCookie(await signIn(username))
    const current = readCookie(await refresh(stolen))
    await age(accountId, SESSION.refreshGraceMs + 1)
    const thief = await refresh(stolen)
    expect(thief).toMatchObject({ ...refusal('SESSION_REVOKED'), data: null })
    expect(thief.headers.get('set-cookie')).toContain('netloom_refresh=; Path=/api/v1/login; Max-Age=0')
    expect(await refresh(current)).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await selectAudit(accountId))[0]).toMatchObject({ action: 'refresh_reused', actorKind: 'system' })
    expect(endedSockets(hub)).toHaveLength(1)
  })

  it('ends the session when a token two generations old is reused within the grace period', async () => {
    const { username } = await createMainAccount()
    const first = readCookie(await signIn(username))
    const third = readCookie(await refresh(readCookie(await refresh(first))))
    expect(await refresh(first)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refresh(third)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('ends the session on a forged secret', async () => {
    const { username } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    expect(await refresh(cookie.replace(/\..*$/, `.${'A'.repeat(43)}`))).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refresh(cookie)).toMatchObject(refusal('SESSION_REVOKED'))
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
    expect(answer.headers.get('set-cookie')).toMatch(/^__Secure-netloom_refresh=.*; HttpOnly; SameSite=Strict; Secure$/)
    expect(answer.headers.get('x-db-trips')).toBeNull()
    expect(accountId).toBeGreaterThan(0)
  })
})

describe('login/logout', () => {
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
