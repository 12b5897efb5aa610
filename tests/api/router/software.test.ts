import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Permission } from '#contract/kernel/permissions.ts'
import { routerApi } from '#contract/router/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import { isPassword } from '#security/password.ts'
import {
  type Caller,
  createFleet,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
  selectAudits,
  unique,
} from '#tests/support/fixtures.ts'
import { lastCode } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { db, hashes, refusal } from '#tests/support/test-worker.ts'

const routerRow = async (name: string) => (await db.select().from(routers).where(eq(routers.name, name)))[0]!
const numberOf = (international: string) => international.split(' ')[1]!

async function sendCode(by: Caller, to: string): Promise<string> {
  const input = { send_type: 'phone', verify_type: 'app_change_phone', send_value: to } as const
  expect(await by.call(verifyApi.sendCode, input)).toMatchObject({ code: 200 })
  return (await lastCode(to))!
}

/** One network with a centre and a software member, another with a second centre and the same member. */
async function sharedMember() {
  const { main, routers: all, apps } = await createFleet({ memberQuota: 20 })
  const covered = await createNetwork(main, [all[0]!, apps[0]!])
  await createNetwork(main, [all[1]!, apps[0]!])
  const flags: Permission[] = ['router:create', 'router:edit', 'router:delete']
  return { main, limited: await createSubAccount(main, { flags, networks: [covered] }), app: apps[0]! }
}

describe('network 7 · router/phone', () => {
  it('binds a phone in two round trips, with an audit row', async () => {
    const main = await createMainAccount()
    const { name: router_name } = await createSoftwareRouter(main.accountId, { phone: '13800000001' })
    const reply = await main.call(routerApi.phone, { router_name, area_code: '', phone: '13800000002' })
    expect(reply).toMatchObject({ code: 200, msg: '保存成功', trips: 2, data: null })
    expect(await routerRow(router_name)).toMatchObject({ areaCode: '86', phone: '13800000002' })
    expect(await selectAudits(main.accountId)).toMatchObject([
      {
        module: 'router',
        action: 'phone',
        target: router_name,
        message: `修改成员“${router_name}”的手机号码`,
        before: JSON.stringify({ area_code: '86', phone: '13800000001' }),
        after: JSON.stringify({ area_code: '86', phone: '13800000002' }),
      },
    ])
  })

  it('the phone that it has already is neither written nor audited', async () => {
    const main = await createMainAccount()
    const { name: router_name } = await createSoftwareRouter(main.accountId, { phone: '13800000001' })
    const reply = await main.call(routerApi.phone, { router_name, phone: '13800000001', type: 2, code: '123456' })
    expect(reply).toMatchObject({ code: 200, trips: 1 })
    expect(await selectAudits(main.accountId)).toEqual([])
  })

  it('a phone of another member is confirmed by a code, once', async () => {
    const main = await createMainAccount()
    const to = createPhone()
    const phone = numberOf(to)
    await createSoftwareRouter(main.accountId, { phone })
    const [first, second] = [await createSoftwareRouter(main.accountId), await createSoftwareRouter(main.accountId)]
    expect(await main.call(routerApi.phone, { router_name: first.name, phone })).toMatchObject({
      ...refusal('PHONE_MUST_VERIFY'),
      code: 401,
      data: { field: 'phone' },
    })
    const code = await sendCode(main, to)
    const bind = (router_name: string, typed: string) =>
      main.call(routerApi.phone, { router_name, phone, type: '2', code: typed } as never)
    expect(await bind(first.name, code === '000000' ? '000001' : '000000')).toMatchObject(refusal('CODE_WRONG'))
    const both = await Promise.all([bind(first.name, code), bind(second.name, code)])
    expect(both.map((reply) => reply.code).toSorted()).toEqual([200, 422])
    const holders = await db.select().from(routers).where(eq(routers.phone, phone))
    expect(holders.filter(({ accountId }) => accountId === main.accountId)).toHaveLength(2)
  })

  it('two members take the same new phone at once: the second has to confirm', async () => {
    const main = await createMainAccount()
    const phone = numberOf(createPhone())
    const names = [await createSoftwareRouter(main.accountId), await createSoftwareRouter(main.accountId)]
    const replies = await Promise.all(names.map(({ name }) => main.call(routerApi.phone, { router_name: name, phone })))
    expect(replies.map((reply) => reply.code).toSorted()).toEqual([200, 401])
  })

  it.each([
    [{ phone: '' }, '请输入手机号码', 'phone'],
    [{ phone: '12800000000' }, '请输入正确的手机号码', 'phone'],
    [{ phone: '13800000000', type: 2 }, '验证码不能为空', 'code'],
    [{ phone: '13800000000', type: 2, code: '12345' }, '验证码长度必须为6位', 'code'],
    [{ phone: '13800000000', type: 3 }, '请选择有效的类型', 'type'],
  ])('network 5: refuses %o', async (over, msg, field) => {
    const main = await createMainAccount()
    const { name: router_name } = await createSoftwareRouter(main.accountId)
    const reply = await main.call(routerApi.phone, { router_name, ...over } as never)
    expect(reply).toMatchObject({ code: 422, msg, data: { field } })
  })
})

describe('network 5 · router/password', () => {
  const password = 'Weilai26'

  it('hashes the new one, voids one that waits, ends the client’s sessions', async () => {
    const main = await createMainAccount({ email: `${unique()}@test.cn` })
    const { id, name: router_name } = await createSoftwareRouter(main.accountId)
    await db.update(routers).set({ passwordSealed: 'sealed', password: '' }).where(eq(routers.id, id))
    const session = { accountId: main.accountId, refreshHash: '', ip: '', createdAt: 1, rotatedAt: 1, expiresAt: 9 }
    await db.insert(clientSessions).values({ id: unique('c'), routerId: id, ...session })
    const reply = await main.call(routerApi.password, { router_name, password })
    expect(reply).toMatchObject({ code: 200, msg: '修改成功', trips: 2, data: null })
    const row = await routerRow(router_name)
    expect([await isPassword(password, row.password), row.passwordSealed]).toEqual([true, null])
    const [ended] = await db.select().from(clientSessions).where(eq(clientSessions.routerId, id))
    expect(ended!.endedAt).not.toBeNull()
    const audits = await selectAudits(main.accountId)
    expect(audits).toMatchObject([
      { action: 'password', target: router_name, message: `修改成员“${router_name}”的密码` },
    ])
    expect(JSON.stringify(audits)).not.toMatch(/Weilai26|scrypt/)
  })

  it('the account needs a phone or an e-mail address', async () => {
    const main = await createMainAccount()
    const { name: router_name } = await createSoftwareRouter(main.accountId)
    const before = hashes.length
    expect(await main.call(routerApi.password, { router_name, password })).toMatchObject({
      ...refusal('CONTACT_REQUIRED'),
      code: 423,
      msg: '请先绑定手机或者邮箱，再修改密码',
    })
    expect(hashes).toHaveLength(before)
    const bound = await createMainAccount({ phone: numberOf(createPhone()) })
    const app = await createSoftwareRouter(bound.accountId)
    expect(await bound.call(routerApi.password, { router_name: app.name, password })).toMatchObject({ code: 200 })
  })

  it.each([
    ['12345', '长度在 6 到 18 个字符'],
    ['a'.repeat(19), '长度在 6 到 18 个字符'],
    ['', '密码不能为空'],
    ['12345678', '该密码过于常见，容易被猜到，请更换'],
  ])('refuses %o', async (typed, msg) => {
    const main = await createMainAccount({ email: `${unique()}@test.cn` })
    const { name: router_name } = await createSoftwareRouter(main.accountId)
    const reply = await main.call(routerApi.password, { router_name, password: typed })
    expect(reply).toMatchObject({ code: 422, msg, data: { field: 'password' } })
  })
})

describe('network 6 · phone, password and note of a member', () => {
  const CALLS = [
    [routerApi.phone, { phone: '13900000000' }],
    [routerApi.password, { password: 'Weilai26' }],
    [routerApi.note, { note: '上海' }],
  ] as const

  it.each(CALLS)('$path: a role limited to networks needs all of the member’s', async (spec, input) => {
    const { main, limited, app } = await sharedMember()
    const call = (by: Caller) => by.call(spec, { router_name: app.name, ...input } as never)
    expect(await call(limited)).toMatchObject(refusal('ROUTER_SHARED'))
    expect((await call(main)).reason).not.toBe('ROUTER_SHARED')
  })

  it.each(CALLS)('$path is for those who may', async (spec, input) => {
    const main = await createMainAccount()
    const { name: router_name } = await createSoftwareRouter(main.accountId)
    const sub = await createSubAccount(main, { flags: ['router:create', 'router:delete', 'network:edit'] })
    expect(await sub.call(spec, { router_name, ...input } as never)).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it.each(CALLS.slice(0, 2))('$path is not for hardware', async (spec, input) => {
    const main = await createMainAccount()
    const { name: router_name } = await createRouter(main.accountId)
    expect(await main.call(spec, { router_name, ...input } as never)).toMatchObject(refusal('SOFTWARE_ONLY'))
  })
})
