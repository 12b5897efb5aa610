import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import type { Endpoint, Input } from '../../../worker/contract/endpoint.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { PERMISSIONS } from '../../../worker/contract/permissions.ts'
import { ramApi } from '../../../worker/contract/ram.ts'
import { ramAccounts, services, sessions } from '../../../worker/db/schema/accounts.ts'
import { messages } from '../../../worker/db/schema/notices.ts'
import { type Caller, PASSWORD, createMainAccount, createSession, createSubAccount } from '../../support/fixtures.ts'
import { createCaptcha, nextAddress, openSessions, readCookie, selectAudit, signIn } from '../../support/identity.ts'
import { createRole, quickHash, ramInput, selectRams } from '../../support/rams.ts'
import { createTestWorker, db, hashes, hubCalls, refusal } from '../../support/test-worker.ts'

const owner = (sub_account = 3) => createMainAccount({ services: { sub_account } })

async function createRam(main: Caller, over: Partial<Input<typeof ramApi.create>> = {}) {
  const input = ramInput(await createRole(main), over)
  const { data } = await main.call(ramApi.create, input)
  const { data: suffix } = await main.call(ramApi.domain, {})
  return { ...input, id: data.id, login: `${input.username}@${suffix.domain}` }
}

/** Whether the account's hub was asked to close what ended. */
const refreshes = (main: Caller, since: number) =>
  hubCalls.slice(since).filter(({ hub, method }) => hub === main.hub && method === 'refresh').length

describe('directory 7 · ram/create', () => {
  it('makes a person who signs in with name, suffix and password', async () => {
    const main = await owner()
    const role_id = await createRole(main)
    const input = ramInput(role_id)
    const reply = await main.call(ramApi.create, input)
    expect(reply).toMatchObject({ code: 200, msg: '添加成功', data: { id: expect.any(Number) }, trips: 2 })
    const { data } = await main.call(ramApi.info, { id: reply.data.id })
    expect(data).toMatchObject({
      username: input.username,
      nickname: '运维小王',
      role_id,
      status: 1,
      session_count: 0,
      login_time: null,
    })
    const { data: suffix } = await main.call(ramApi.domain, {})
    const login = `${input.username}@${suffix.domain}`
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const [entry] = (await selectAudit(main.accountId)).filter(({ module }) => module === 'ram')
    expect(entry).toMatchObject({ action: 'create', target: login, message: `添加子账号“${login}”`, actorKind: 'main' })
    expect(entry!.after).not.toContain('Weilai26')
    expect((await main.call(ramApi.info, { id: reply.data.id })).data).toMatchObject({
      session_count: 1,
      login_time: expect.any(Number),
    })
  })

  it.each([
    [{ nickname: '' }, 'nickname', '请输入昵称'],
    [{ nickname: '运' }, 'nickname', '昵称长度2-12字符，由中文,英文,数字组成'],
    [{ username: '' }, 'username', '请输入账号'],
    [{ username: 'a'.repeat(19) }, 'username', '账号不能超过18个字符'],
    [{ username: '运维' }, 'username', '账号由字母、数字、下划线和点组成'],
    [{ password: '' }, 'password', '请输入密码'],
    [{ password: '12345' }, 'password', '密码长度6-18位'],
    [{ role_id: null as never }, 'role_id', '请选择角色'],
  ])('refuses %j on its field', async (over, field, msg) => {
    const main = await owner()
    const answer = await main.call(ramApi.create, ramInput(await createRole(main), over))
    expect(answer).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('refuses a password that is common or names its owner, before anything is hashed', async () => {
    const main = await owner()
    const role = await createRole(main)
    const before = hashes.length
    for (const [password, key] of [
      ['Password1', 'PASSWORD_COMMON'],
      ['Qiming01', 'PASSWORD_PERSONAL'],
    ] as const) {
      const answer = await main.call(ramApi.create, ramInput(role, { password, username: 'qiming01' }))
      expect(answer).toMatchObject({ ...refusal(key), data: { field: 'password' } })
    }
    expect(hashes).toHaveLength(before)
  })

  it('refuses a name twice, in any case, and the same name in another account not', async () => {
    const [main, other] = [await owner(), await owner()]
    const role = await createRole(main)
    await main.call(ramApi.create, ramInput(role, { username: 'Desk' }))
    const again = await main.call(ramApi.create, ramInput(role, { username: 'desk' }))
    expect(again).toMatchObject({ ...refusal('RAM_NAME_TAKEN'), data: { field: 'username' } })
    const elsewhere = await other.call(ramApi.create, ramInput(await createRole(other), { username: 'desk' }))
    expect(elsewhere.code).toBe(200)
  })

  it('refuses a role of another account like one that never was', async () => {
    const [main, other] = [await owner(), await owner()]
    for (const role of [await createRole(other), 987_654_321]) {
      const answer = await main.call(ramApi.create, ramInput(role))
      expect(answer).toMatchObject({ ...refusal('RAM_ROLE_UNKNOWN'), data: { field: 'role_id' } })
    }
    expect(await selectRams(main.accountId)).toEqual([])
  })

  it('refuses a role that is deleted between reading and writing', async () => {
    const main = await owner()
    const role = await createRole(main)
    const late = createTestWorker({ afterFirstTrip: () => db.run(`delete from ram_roles where id = ${role}`) })
    expect(await late.call(ramApi.create, ramInput(role), main.token)).toMatchObject(refusal('RAM_ROLE_UNKNOWN'))
  })
})

describe('directory 3 · quota of sub-accounts', () => {
  it('says how many there are and may be', async () => {
    const main = await owner(2)
    expect(await main.call(ramApi.quantity, {})).toMatchObject({ code: 200, data: { count: 0, max: 2 }, trips: 1 })
    await createRam(main)
    expect((await main.call(ramApi.quantity, {})).data).toEqual({ count: 1, max: 2 })
  })

  it('is exact under 50 parallel calls', async () => {
    const main = await owner(7)
    const role = await createRole(main)
    const { call } = quickHash()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => call(ramApi.create, ramInput(role, { username: `desk${n}` }), main.token)),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(7)
    const refused = replies.filter(({ code }) => code !== 200)
    expect(new Set(refused.map(({ msg }) => msg))).toEqual(new Set(['子账号数量已达上限7个']))
    expect(await selectRams(main.accountId)).toHaveLength(7)
  })

  it('that drops stops creation only', async () => {
    const main = await owner(2)
    const first = await createRam(main)
    await createRam(main)
    await db.update(services).set({ quantity: 1 }).where(eq(services.accountId, main.accountId))
    const { id, role_id, login } = first
    const refused = await main.call(ramApi.create, ramInput(role_id))
    expect(refused).toMatchObject({ code: 422, msg: '子账号数量已达上限1个', reason: 'RAM_LIMIT_REACHED' })
    expect(await main.call(ramApi.edit, { id, role_id, nickname: '新名' })).toMatchObject({ code: 200 })
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    expect((await main.call(ramApi.quantity, {})).data).toEqual({ count: 2, max: 1 })
  })
})

describe('directory 7 · ram/lists', () => {
  it('lists the newest first, and finds account, nickname and role', async () => {
    const main = await owner()
    const role = await createRole(main, undefined, '值班组')
    await main.call(ramApi.create, ramInput(role, { username: 'first', nickname: '张三' }))
    await main.call(ramApi.create, ramInput(await createRole(main), { username: 'second', nickname: '李四' }))
    const names = async (search: string) =>
      (await main.call(ramApi.lists, { search })).data.map(({ username }) => username)
    expect(new Set(await names(''))).toEqual(new Set(['first', 'second']))
    expect(await names('SECO')).toEqual(['second'])
    expect(await names('张')).toEqual(['first'])
    expect(await names('值班')).toEqual(['first'])
    expect(await main.call(ramApi.lists, { search: '%' })).toMatchObject({ count: 0, data: [], trips: 1 })
  })
})

describe('directory 7 · ram/edit', () => {
  it('changes nickname and role, and leaves an empty password as it is', async () => {
    const main = await owner()
    const { id, login } = await createRam(main)
    const next = await createRole(main, undefined, '夜班')
    const token = (await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).data.access_token
    const since = hubCalls.length
    const edited = await main.call(ramApi.edit, { id, role_id: next, nickname: '夜班小王', password: '' })
    expect(edited).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(await main.call(accountApi.service, {}, { token })).toMatchObject(refusal('SESSION_REVOKED'))
    expect(refreshes(main, since)).toBe(1)
    expect(await openSessions(main.accountId)).toHaveLength(2) // nobody is signed out
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const entry = (await selectAudit(main.accountId)).find(({ action }) => action === 'edit')!
    expect(JSON.parse(entry.after!)).toEqual({ nickname: '夜班小王', role: '夜班' })
    expect(Object.keys(JSON.parse(entry.before!) as object)).toEqual(['nickname', 'role'])
  })

  it('renews a session silently: its cookie is good for the new rights', async () => {
    const main = await owner()
    const { id, login, role_id } = await createRam(main)
    const signedIn = await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    const next = await createRole(main, undefined, '夜班')
    await main.call(ramApi.edit, { id, role_id: next, nickname: '运维小王' })
    const renewed = await main.call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })
    expect(renewed).toMatchObject({ code: 200 })
    expect(role_id).not.toBe(next)
    expect((await main.call(accountApi.service, {}, { token: renewed.data.access_token })).code).toBe(200)
  })

  it('with a nickname alone touches no session', async () => {
    const main = await owner()
    const { id, login, role_id } = await createRam(main)
    const token = (await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).data.access_token
    const since = hubCalls.length
    await main.call(ramApi.edit, { id, role_id, nickname: '小王' })
    expect((await main.call(accountApi.service, {}, { token })).code).toBe(200)
    expect(refreshes(main, since)).toBe(0)
    const audited = await db.$count(messages, eq(messages.accountId, main.accountId))
    await main.call(ramApi.edit, { id, role_id, nickname: '小王' }) // the same again writes nothing
    expect(await db.$count(messages, eq(messages.accountId, main.accountId))).toBe(audited)
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'edit')).toHaveLength(1)
  })

  it('with a password ends the sessions of the one before, and says so', async () => {
    const main = await owner()
    const { id, login, role_id } = await createRam(main)
    const { access_token: token } = (await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).data
    const edited = await main.call(ramApi.edit, { id, role_id, nickname: '运维小王', password: 'Fresh2026' })
    expect(edited).toMatchObject({ code: 200, trips: 2 })
    expect((await main.call(accountApi.service, {}, { token })).code).toBe(2002)
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await signIn(login, { password: 'Fresh2026' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const sent = await db.select().from(messages).where(eq(messages.accountId, main.accountId))
    expect(
      sent
        .filter(({ title }) => title === '子账号登录密码已重置')
        .map(({ person }) => person)
        .toSorted(),
    ).toEqual([`main:${main.accountId}`, `ram:${id}`].toSorted())
    const entry = (await selectAudit(main.accountId)).find(({ action }) => action === 'edit')!
    expect(entry.message).toBe(`修改子账号“${login}”，重置登录密码`)
    expect(JSON.stringify(entry)).not.toContain('Fresh2026')
  })

  it('refuses a password by the rules of every other', async () => {
    const main = await owner()
    const { id, role_id } = await createRam(main)
    for (const [password, msg] of [
      ['12345', '密码长度6-18位'],
      ['Password1', refusal('PASSWORD_COMMON').msg],
    ] as const) {
      const answer = await main.call(ramApi.edit, { id, role_id, nickname: '小王', password })
      expect(answer).toMatchObject({ code: 422, msg, data: { field: 'password' } })
    }
  })
})

describe('directory 4 · status of a sub-account', () => {
  it('disabled it is out at once and does not come back before it is enabled', async () => {
    const main = await owner()
    const { id, login } = await createRam(main)
    const signedIn = await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    const since = hubCalls.length
    expect(await main.call(ramApi.disable, { id })).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect((await main.call(accountApi.service, {}, { token: signedIn.data.access_token })).code).toBe(2002)
    expect(refreshes(main, since)).toBe(1)
    expect((await main.call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })).code).toBe(2002)
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject(refusal('ACCOUNT_DISABLED'))
    expect(await main.call(ramApi.disable, { id })).toMatchObject({ code: 200, trips: 1 })
    expect(await main.call(ramApi.enable, { id })).toMatchObject({ code: 200, trips: 2 })
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const actions = (await selectAudit(main.accountId)).filter(({ module }) => module === 'ram')
    expect(actions.map(({ action }) => action)).toEqual(['enable', 'disable', 'create'])
  })

  it('强制下线 ends every session, and it may sign in again', async () => {
    const main = await owner()
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
    const main = await owner()
    const { id, login } = await createRam(main)
    const signedIn = await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })
    const [session] = await db.select().from(sessions).where(eq(sessions.ramId, id))
    const since = hubCalls.length
    expect(await main.call(ramApi.delete, { id })).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(refreshes(main, since)).toBe(1)
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
    const [main, other] = [await owner(), await owner()]
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
    const main = await owner(3)
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
      db.update(ramAccounts).set({ status: 0 }).where(eq(ramAccounts.id, sub.ramId)).run(),
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
    const main = await owner()
    const sub = await createSubAccount(main, { flags: PERMISSIONS })
    const again = await createSession(sub.session)
    expect(await again.call(ramApi.create, ramInput(1))).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
