import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { sessions } from '#db/schema/accounts.ts'
import { createMainAccount, createSession, createSubAccount } from '#tests/support/fixtures.ts'
import { nextAddress, readCookie, selectAudit, signIn } from '#tests/support/identity.ts'
import { signInAgain } from '#tests/support/own-contact.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const EDGE = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.56'
const ids = (rows: readonly { readonly session_id: string }[]) => rows.map((row) => row.session_id)

describe('account 2 · account/sessions', () => {
  it('answers a sign-in in words, this one first and marked, in one round trip', async () => {
    const main = await createMainAccount()
    const ip = nextAddress()
    const { data } = await signIn(main.username, {}, { ip, headers: { 'user-agent': EDGE } })
    const answer = await call(accountApi.sessions, {}, data.access_token)
    expect(answer).toMatchObject({ code: 200, count: 2, trips: 1 })
    expect(answer.data).toMatchObject([
      {
        username: main.username,
        ram: 0,
        device: 'Windows',
        browser: 'Edge 126',
        ip,
        place: '',
        host: 'localhost',
        current: 1,
      },
      { session_id: main.session.id, current: 0 },
    ])
    expect(answer.data[0]!.create_time).toBe(answer.data[0]!.refresh_time)
  })

  it('the last renewal moves with each refresh, the first use does not', async () => {
    const main = await createMainAccount()
    const signedIn = await signIn(main.username)
    const { access_token: token } = signedIn.data
    const [first] = (await call(accountApi.sessions, {}, token)).data
    const past = first!.create_time - 3_600_000
    const ofFirst = eq(sessions.id, first!.session_id)
    await db.update(sessions).set({ createdAt: past, rotatedAt: past }).where(ofFirst)
    const renewed = await call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })
    await call(loginApi.refresh, {}, { cookie: readCookie(renewed) }) // shows the successor
    const [row] = (await call(accountApi.sessions, {}, token)).data
    expect(row!.create_time).toBe(past)
    expect(row!.refresh_time).toBeGreaterThan(past)
  })

  it('each renewal shows where it came from, before the first one the sign-in', async () => {
    const main = await createMainAccount()
    const [home, train] = [nextAddress(), nextAddress()]
    const signedIn = await signIn(main.username, {}, { ip: home })
    const shown = async () => (await call(accountApi.sessions, {}, signedIn.data.access_token)).data[0]
    expect(await shown()).toMatchObject({ ip: home, refresh_ip: home, refresh_place: '' })
    const [first] = (await call(accountApi.sessions, {}, signedIn.data.access_token)).data
    const past = { createdAt: first!.create_time - 60_000, rotatedAt: first!.create_time - 60_000 }
    await db.update(sessions).set(past).where(eq(sessions.id, first!.session_id))
    const renewed = await call(loginApi.refresh, {}, { cookie: readCookie(signedIn), ip: train })
    expect(renewed).toMatchObject({ code: 200, trips: 1 })
    expect(await shown()).toMatchObject({ ip: home, refresh_ip: train })
    expect((await shown())!.refresh_time).toBeGreaterThan(past.rotatedAt)
    await call(loginApi.refresh, {}, { cookie: readCookie(renewed), ip: home })
    expect(await shown()).toMatchObject({ ip: home, refresh_ip: home })
  })

  it('leaves out what has ended or run out', async () => {
    const main = await createMainAccount()
    const [ended, old] = [await signInAgain(main), await signInAgain(main)]
    await db.update(sessions).set({ endedAt: 1 }).where(eq(sessions.id, ended.session.id))
    await db.update(sessions).set({ expiresAt: 1 }).where(eq(sessions.id, old.session.id))
    expect(ids((await main.call(accountApi.sessions, {})).data)).toEqual([main.session.id])
  })

  it('the main account sees its sub-accounts’, these only their own, nobody those of another account', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const sub = await createSubAccount(main)
    const colleague = await createSubAccount(main)
    const own = await createSession(sub.session)
    const all = await main.call(accountApi.sessions, {})
    expect(all.data[0]).toMatchObject({ session_id: main.session.id, current: 1 })
    expect(new Set(ids(all.data))).toEqual(
      new Set([main.session.id, sub.session.id, own.session.id, colleague.session.id]),
    )
    expect(all.data.find((row) => row.session_id === sub.session.id)).toMatchObject({ username: sub.username, ram: 1 })
    expect(ids((await sub.call(accountApi.sessions, {})).data)).toEqual([sub.session.id, own.session.id])
    expect(ids((await stranger.call(accountApi.sessions, {})).data)).toEqual([stranger.session.id])
  })
})

describe('account 2 · account/end_session', () => {
  it('ends one with its sockets, in two round trips and with an audit row', async () => {
    const main = await createMainAccount()
    const other = await signInAgain(main)
    const before = hubCalls.length
    const answer = await main.call(accountApi.endSession, { session_id: other.session.id })
    expect(answer).toMatchObject({ code: 200, msg: '已退出登录', trips: 2 })
    expect(hubCalls.slice(before)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(await other.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'end_session', target: main.username })
    const again = await main.call(accountApi.endSession, { session_id: other.session.id })
    expect(again).toMatchObject(refusal('SIGN_IN_NOT_FOUND'))
  })

  it('the main account ends those of its sub-accounts', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    expect((await main.call(accountApi.endSession, { session_id: sub.session.id })).code).toBe(200)
    expect(await sub.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ target: sub.username, actorKind: 'main' })
  })

  it('those of others answer like one that does not exist', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const [sub, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    const unknown = await sub.call(accountApi.endSession, { session_id: 'none' })
    expect(unknown).toMatchObject(refusal('SIGN_IN_NOT_FOUND'))
    const shown = ({ code, msg, data, reason, trips }: typeof unknown) => ({ code, msg, data, reason, trips })
    for (const { session } of [main, stranger, colleague])
      expect(shown(await sub.call(accountApi.endSession, { session_id: session.id }))).toEqual(shown(unknown))
    const foreign = await main.call(accountApi.endSession, { session_id: stranger.session.id })
    expect(shown(foreign)).toEqual(shown(unknown))
    for (const who of [main, stranger, colleague]) expect((await who.call(accountApi.info, {})).code).toBe(200)
  })

  it('leaves this one to 退出登录', async () => {
    const main = await createMainAccount()
    const answer = await main.call(accountApi.endSession, { session_id: main.session.id })
    expect(answer).toMatchObject(refusal('SIGN_IN_CURRENT'))
  })
})

describe('account 2 · account/end_other_sessions', () => {
  it('ends the person’s own, and none of the sub-accounts', async () => {
    const main = await createMainAccount()
    const others = [await signInAgain(main), await signInAgain(main)]
    const sub = await createSubAccount(main)
    const again = await createSession(sub.session)
    expect(await main.call(accountApi.endOtherSessions, {})).toMatchObject({ code: 200, msg: '已退出登录', trips: 2 })
    for (const other of others) expect((await other.call(accountApi.info, {})).code).toBe(2002)
    for (const who of [main, sub, again]) expect((await who.call(accountApi.info, {})).code).toBe(200)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ message: '退出其他登录设备，共2个' })
    expect(await main.call(accountApi.endOtherSessions, {})).toMatchObject({ code: 200, trips: 1 })

    await sub.call(accountApi.endOtherSessions, {})
    expect((await again.call(accountApi.info, {})).code).toBe(2002)
    for (const who of [main, sub]) expect((await who.call(accountApi.info, {})).code).toBe(200)
  })
})
