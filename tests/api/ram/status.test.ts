import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { loginApi } from '#contract/login/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramAccounts, sessions } from '#db/schema/accounts.ts'
import { PASSWORD, createMainAccount, createSession, createSubAccount } from '#tests/support/fixtures.ts'
import { createCaptcha, nextAddress, readCookie, selectAudit, signIn } from '#tests/support/identity.ts'
import { createOwner, createRam, createRole, ramInput, refreshesOf, selectRams } from '#tests/support/rams.ts'
import { createTestWorker, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('directory 4 · status of a sub-account', () => {
  it('disabled it is out at once and does not come back before it is enabled', async () => {
    const main = await createOwner()
    const { id, login } = await createRam(main)
    const signedIn = await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    const since = hubCalls.length
    expect(await main.call(ramApi.disable, { id })).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect((await main.call(accountApi.service, {}, { token: signedIn.data.access_token })).code).toBe(2002)
    expect(refreshesOf(main, since)).toBe(1)
    expect((await main.call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })).code).toBe(2002)
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject(refusal('ACCOUNT_DISABLED'))
    expect(await main.call(ramApi.disable, { id })).toMatchObject({ code: 200, trips: 1 })
    expect(await main.call(ramApi.enable, { id })).toMatchObject({ code: 200, trips: 2 })
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const actions = (await selectAudit(main.accountId)).filter(({ module }) => module === 'ram')
    expect(actions.map(({ action }) => action)).toEqual(['enable', 'disable', 'create'])
  })

  it('强制下线 ends every session, and it may sign in again', async () => {
    const main = await createOwner()
    const { id, login } = await createRam(main)
    for (let i = 0; i < 2; i++) await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    expect((await main.call(ramApi.info, { id })).data.session_count).toBe(2)
    expect(await main.call(ramApi.endSessions, { id })).toMatchObject({ code: 200, trips: 2 })
    expect((await main.call(ramApi.info, { id })).data.session_count).toBe(0)
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
  })
})

describe('directory 7 · ram/delete', () => {
  it('ends the sessions, whose rows stay ended for the hub, and keeps nothing else', async () => {
    const main = await createOwner()
    const { id, login } = await createRam(main)
    const signedIn = await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    const [session] = await db.select().from(sessions).where(eq(sessions.ramId, id))
    const since = hubCalls.length
    expect(await main.call(ramApi.delete, { id })).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(refreshesOf(main, since)).toBe(1)
    expect(await selectRams(main.accountId)).toEqual([])
    const [kept] = await db.select().from(sessions).where(eq(sessions.id, session!.id))
    expect(kept).toMatchObject({ ramId: null, endedAt: expect.any(Number) })
    expect((await main.call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })).code).toBe(2002)
    expect((await main.call(accountApi.service, {}, { token: signedIn.data.access_token })).code).toBe(2002)
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject(refusal('LOGIN_FAILED'))
    expect((await main.call(accountApi.sessions, {})).data.map(({ username }) => username)).toEqual([main.username])
  })
})

describe('directory 7 · another account’s sub-account answers like one that never was', () => {
  const calls: readonly (readonly [Endpoint, object])[] = [
    [ramApi.info, {}],
    [ramApi.edit, { nickname: '小王' }],
    [ramApi.delete, {}],
    [ramApi.enable, {}],
    [ramApi.disable, {}],
    [ramApi.endSessions, {}],
    [ramApi.log, {}],
  ]
  it.each(calls.map(([spec, input]) => [spec.path, spec, input] as const))('%s', async (_, spec, more) => {
    const [main, other] = [await createOwner(), await createOwner()]
    const role_id = await createRole(main)
    const { id } = await createRam(other)
    const before = await selectRams(other.accountId)
    const send = (given: number) => main.call(spec, { role_id, ...more, id: given, ram_id: given } as never)
    for (const given of [id, 987_654_321]) expect(await send(given)).toMatchObject(refusal('RAM_NOT_FOUND'))
    expect(await selectRams(other.accountId)).toEqual(before)
  })
})

describe('directory 7 · ids of sub-accounts do not come again', () => {
  it('after the deletion of the newest', async () => {
    const main = await createOwner(3)
    const { id, role_id } = await createRam(main)
    await main.call(ramApi.delete, { id })
    const { data } = await main.call(ramApi.create, ramInput(role_id))
    expect(data.id).not.toBe(id)
  })
})

describe('design 6 · a sign-in under way while the rights change', () => {
  it('opens no session with the rights before', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    const { captcha, call } = await lateSignIn(() =>
      db.run(`update ram_roles set flags = '[]' where id = (select role_id from ram_accounts where id = ${sub.ramId})`),
    )
    expect(await call({ username: sub.username, ...captcha })).toMatchObject(refusal('RIGHTS_CHANGED'))
    const open = await db.select().from(sessions).where(eq(sessions.ramId, sub.ramId))
    expect(open.map(({ id }) => id)).toEqual([sub.session.id])
  })

  it('of a sub-account that is disabled meanwhile is refused', async () => {
    const sub = await createSubAccount(await createMainAccount())
    const { captcha, call } = await lateSignIn(() =>
      db.update(ramAccounts).set({ status: 0 }).where(eq(ramAccounts.id, sub.ramId)),
    )
    expect((await call({ username: sub.username, ...captcha })).code).not.toBe(200)
  })

  async function lateSignIn(afterFirstTrip: () => PromiseLike<unknown>) {
    const captcha = await createCaptcha('login')
    const late = createTestWorker({ afterFirstTrip })
    const call = (input: { username: string; uniqid: string; code: string }) =>
      late.call(loginApi.ram, { password: PASSWORD, ...input }, { ip: nextAddress() })
    return { captcha, call }
  }
})

describe('directory 6 · the main account’s own', () => {
  it('is closed to a sub-account with every flag', async () => {
    const main = await createOwner()
    const sub = await createSubAccount(main, { flags: PERMISSIONS })
    const again = await createSession(sub.session)
    expect(await again.call(ramApi.create, ramInput(1))).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
