import { eq, sql } from 'drizzle-orm'
import { env } from 'cloudflare:test'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { SESSION } from '#contract/login/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { clientSessions, oldSigns } from '#db/schema/clients.ts'
import { removeExpired } from '#jobs/expiry.ts'
import { signClientToken } from '#security/client-tokens.ts'
import { clientLogin, createClients, disableAccount, readProfile, refreshClient } from '#tests/support/clients.ts'
import { PASSWORD, createMainAccount, unique } from '#tests/support/fixtures.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const age = (routerId: number, ms: number) =>
  db
    .update(clientSessions)
    .set({ rotatedAt: sql`${clientSessions.rotatedAt} - ${ms}` })
    .where(eq(clientSessions.routerId, routerId))

/** Any password is right: the hash is not what these tests are about. */
const { call: send } = createTestWorker({ passwords: () => ({ run: async () => ({ isRight: true, hash: 'x' }) }) })

async function signedIn() {
  const [member] = await createClients()
  const { data } = await send(clientApi.login, { username: member!.name, password: PASSWORD })
  return { ...member!, ...data }
}

describe('account 7 · client/refresh', () => {
  it('gives a new access token and the next refresh token, in one round trip', async () => {
    const member = await signedIn()
    const reply = await refreshClient(member.refresh_token)
    expect(reply).toMatchObject({ code: 200, trips: 1, data: { router_name: member.name } })
    expect(reply.data.refresh_token).not.toBe(member.refresh_token)
    expect((await readProfile(reply.data.access_token)).code).toBe(200)
  })

  it('any order of uses: lost answers sign nobody out, a retired token ends the session', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(7), fc.constantFrom(0, SESSION.refreshGraceMs + 1)), { minLength: 1, maxLength: 7 }),
        async (uses) => {
          const member = await signedIn()
          interface Node {
            readonly token: string
            readonly parent: number | null
          }
          const tokens: Node[] = [{ token: member.refresh_token, parent: null }]
          let shown = 0 // the token that was shown last
          let isLate = false // the grace since its first use is over
          for (const [pick, waitMs] of uses) {
            await age(member.id, waitMs)
            isLate ||= waitMs > 0
            const at = pick % tokens.length
            const { token, parent } = tokens[at]!
            const isNewer = parent === shown
            const isSibling = parent !== null && parent === tokens[shown]!.parent && !isLate
            const isGood = at === shown || isNewer || isSibling
            const reply = await refreshClient(token)
            expect(reply.code).toBe(isGood ? 200 : refusal('SESSION_REVOKED').code)
            if (!isGood) return
            if (isNewer) [shown, isLate] = [at, false]
            tokens.push({ token: reply.data.refresh_token, parent: shown })
          }
        },
      ),
      { numRuns: 40 },
    )
  }, 60_000)

  it.each(['', 'x', 'a.b.c.d'])('refuses “%s”', async (token) => {
    expect((await refreshClient(token)).code).toBe(token === '' ? 422 : refusal('TOKEN_BAD').code)
  })

  it('a session that is over, or of a disabled account', async () => {
    const [a, b] = [await signedIn(), await signedIn()]
    await db.update(clientSessions).set({ expiresAt: 1 }).where(eq(clientSessions.routerId, a.id))
    expect(await refreshClient(a.refresh_token)).toMatchObject(refusal('TOKEN_EXPIRED'))
    await disableAccount(b.main.accountId)
    expect(await refreshClient(b.refresh_token)).toMatchObject(refusal('MEMBER_ACCOUNT_DISABLED'))
    expect(await readProfile(b.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })
})

describe('design 6 · a member’s sessions end at its next call after each change that ends them', () => {
  it('sign-out, twice', async () => {
    const { refresh_token, access_token } = await signedIn()
    expect(await call(clientApi.logout, { refresh_token })).toMatchObject({ code: 200 })
    expect(await call(clientApi.logout, { refresh_token })).toMatchObject({ code: 200, trips: 1 })
    expect(await readProfile(access_token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refreshClient(refresh_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('a new password, a disabled and a deleted member', async () => {
    const [a, b, c] = [await signedIn(), await signedIn(), await signedIn()]
    await db
      .update(accounts)
      .set({ email: `${unique()}@example.cn` })
      .where(eq(accounts.id, a.main.accountId))
    const changed = await a.main.call(routerApi.password, { router_name: a.name, password: 'Neues26x' })
    expect(changed).toMatchObject({ code: 200, trips: 2 })
    expect(await b.main.call(routerApi.updateStatus, { router_name: b.name, status: 0 })).toMatchObject({ code: 200 })
    expect(await c.main.call(routerApi.delete, { router_name: c.name })).toMatchObject({ code: 200 })
    for (const { access_token } of [a, b, c])
      expect(await readProfile(access_token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refreshClient(a.refresh_token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refreshClient(c.refresh_token)).toMatchObject(refusal('TOKEN_BAD'))
    expect(await clientLogin(a.name, { password: 'Neues26x' })).toMatchObject({ code: 200 })
    expect(await db.$count(clientSessions, eq(clientSessions.routerId, c.id))).toBe(0)
  })

  it('a token of an unknown session, and an old one', async () => {
    const { main, id } = await signedIn()
    const session = { id: 'none', accountId: main.accountId, routerId: id }
    const [unknown, old] = [
      await signClientToken(env.JWT_KEYS, session, Date.now()),
      await signClientToken(env.JWT_KEYS, session, Date.now() - 3_600_000),
    ]
    expect(await readProfile(unknown)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await readProfile(old)).toMatchObject(refusal('TOKEN_EXPIRED'))
  })
})

describe('network 2 · account/edit_sign · the suffix before', () => {
  it('signs members in for 30 days, under their present name; nobody else takes it meanwhile', async () => {
    const [member] = await createClients()
    const { main, name, local, sign } = member!
    const [next, third] = [unique('n').slice(0, 12), unique('t').slice(0, 12)]
    expect(await main.call(accountApi.editSign, { sign: next })).toMatchObject({ code: 200, trips: 2 })
    expect(await main.call(accountApi.editSign, { sign: third })).toMatchObject({ code: 200 })
    const present = `${local}@${third}`
    for (const username of [name, `${local}@${next}`, present])
      expect(await clientLogin(username)).toMatchObject({ code: 200, data: { router_name: present } })
    const stranger = await createMainAccount()
    expect(await stranger.call(accountApi.editSign, { sign: sign.toUpperCase() })).toMatchObject(refusal('SIGN_TAKEN'))
    await db.update(oldSigns).set({ expiresAt: 1 }).where(eq(oldSigns.accountId, main.accountId))
    expect(await clientLogin(name)).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await stranger.call(accountApi.editSign, { sign })).toMatchObject({ code: 200 })
    expect(await stranger.call(accountApi.editSign, { sign: next })).toMatchObject({ code: 200 })
  })

  it('going back to it keeps both names; the cron deletes what is over', async () => {
    const [member] = await createClients()
    const { main, name, local, sign } = member!
    const next = unique('n').slice(0, 12)
    await main.call(accountApi.editSign, { sign: next })
    await main.call(accountApi.editSign, { sign })
    expect(await clientLogin(`${local}@${next}`)).toMatchObject({ code: 200, data: { router_name: name } })
    await db.update(oldSigns).set({ expiresAt: 1 }).where(eq(oldSigns.accountId, main.accountId))
    await removeExpired(db, Date.now())
    expect(await db.$count(oldSigns, eq(oldSigns.accountId, main.accountId))).toBe(0)
  })
})
