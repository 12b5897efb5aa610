import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { services } from '#db/schema/accounts.ts'
import { messages } from '#db/schema/notices.ts'
import { openSessions, readCookie, selectAudit, signIn } from '#tests/support/identity.ts'
import {
  createOwner,
  createRam,
  createRole,
  quickHash,
  ramInput,
  refreshesOf,
  selectRams,
} from '#tests/support/rams.ts'
import { createTestWorker, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('directory 7 · ram/create', () => {
  it('makes a person who signs in with name, suffix and password', async () => {
    const main = await createOwner()
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
    [{ username: '运维' }, 'username', '账号由字母、数字、下划线和点组成，不能包含“运”'],
    [{ password: '' }, 'password', '请输入密码'],
    [{ password: '12345' }, 'password', '密码长度6-18位'],
    [{ role_id: null as never }, 'role_id', '请选择角色'],
  ])('refuses %j on its field', async (over, field, msg) => {
    const main = await createOwner()
    const answer = await main.call(ramApi.create, { ...ramInput(await createRole(main)), ...over })
    expect(answer).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('refuses a password that is common or names its owner, before anything is hashed', async () => {
    const main = await createOwner()
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
    const [main, other] = [await createOwner(), await createOwner()]
    const role = await createRole(main)
    await main.call(ramApi.create, ramInput(role, { username: 'Desk' }))
    const before = hashes.length
    const again = await main.call(ramApi.create, ramInput(role, { username: 'desk' }))
    expect(again).toMatchObject({ ...refusal('RAM_NAME_TAKEN'), data: { field: 'username' }, trips: 1 })
    expect(hashes).toHaveLength(before)
    const elsewhere = await other.call(ramApi.create, ramInput(await createRole(other), { username: 'desk' }))
    expect(elsewhere.code).toBe(200)
  })

  it('one of two that take a name at once gets it', async () => {
    const main = await createOwner()
    const role = await createRole(main)
    const { call } = quickHash()
    const input = ramInput(role)
    const answers = await Promise.all([1, 2].map(() => call(ramApi.create, input, main.token)))
    expect(answers.map(({ reason }) => reason).toSorted()).toEqual(['RAM_NAME_TAKEN', undefined])
    expect(await selectRams(main.accountId)).toHaveLength(1)
  })

  it('refuses a role of another account like one that never was', async () => {
    const [main, other] = [await createOwner(), await createOwner()]
    for (const role of [await createRole(other), 987_654_321]) {
      const answer = await main.call(ramApi.create, ramInput(role))
      expect(answer).toMatchObject({ ...refusal('RAM_ROLE_UNKNOWN'), data: { field: 'role_id' } })
    }
    expect(await selectRams(main.accountId)).toEqual([])
  })

  it('refuses a role that is deleted between reading and writing', async () => {
    const main = await createOwner()
    const role = await createRole(main)
    const late = createTestWorker({ afterFirstTrip: () => db.run(`delete from ram_roles where id = ${role}`) })
    expect(await late.call(ramApi.create, ramInput(role), main.token)).toMatchObject(refusal('RAM_ROLE_UNKNOWN'))
  })
})

describe('directory 3 · quota of sub-accounts', () => {
  it('says how many there are and may be', async () => {
    const main = await createOwner(2)
    expect(await main.call(ramApi.quantity, {})).toMatchObject({ code: 200, data: { count: 0, max: 2 }, trips: 1 })
    await createRam(main)
    expect((await main.call(ramApi.quantity, {})).data).toEqual({ count: 1, max: 2 })
  })

  it('is exact under 50 parallel calls', async () => {
    const main = await createOwner(7)
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
    const main = await createOwner(2)
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
    const main = await createOwner()
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

  it('lists ten a page', async () => {
    const main = await createOwner(11)
    const role = await createRole(main)
    const { call } = quickHash()
    for (let n = 0; n < 11; n++) await call(ramApi.create, ramInput(role), main.token)
    const sizes = [1, 2].map(async (page) => (await main.call(ramApi.lists, { page })).data.length)
    expect(await Promise.all(sizes)).toEqual([10, 1])
  })
})

describe('directory 7 · ram/edit', () => {
  it('changes nickname and role, and leaves an empty password as it is', async () => {
    const main = await createOwner()
    const { id, login } = await createRam(main)
    const next = await createRole(main, undefined, '夜班')
    const token = (await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).data.access_token
    const since = hubCalls.length
    const edited = await main.call(ramApi.edit, { id, role_id: next, nickname: '夜班小王', password: '' })
    expect(edited).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(await main.call(accountApi.service, {}, { token })).toMatchObject(refusal('SESSION_REVOKED'))
    expect(refreshesOf(main, since)).toBe(1)
    expect(await openSessions(main.accountId)).toHaveLength(2) // nobody is signed out
    expect(await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    const entry = (await selectAudit(main.accountId)).find(({ action }) => action === 'edit')!
    expect(JSON.parse(entry.after!)).toEqual({ nickname: '夜班小王', role: '夜班' })
    expect(Object.keys(JSON.parse(entry.before!) as object)).toEqual(['nickname', 'role'])
  })

  it('renews a session silently: its cookie is good for the new rights', async () => {
    const main = await createOwner()
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
    const main = await createOwner()
    const { id, login, role_id } = await createRam(main)
    const token = (await signIn(login, { password: 'Weilai26' }, { kind: 'ram' })).data.access_token
    const since = hubCalls.length
    await main.call(ramApi.edit, { id, role_id, nickname: '小王' })
    expect((await main.call(accountApi.service, {}, { token })).code).toBe(200)
    expect(refreshesOf(main, since)).toBe(0)
    const audited = await db.$count(messages, eq(messages.accountId, main.accountId))
    await main.call(ramApi.edit, { id, role_id, nickname: '小王' }) // the same again writes nothing
    expect(await db.$count(messages, eq(messages.accountId, main.accountId))).toBe(audited)
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'edit')).toHaveLength(1)
  })

  it('with a password ends the sessions of the one before, and says so', async () => {
    const main = await createOwner()
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
    const main = await createOwner()
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
