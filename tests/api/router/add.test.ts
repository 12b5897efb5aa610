import { env } from 'cloudflare:test'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { routerApi } from '#contract/router/index.ts'
import { ACTIVATION_GUARD } from '#contract/router/limits.ts'
import { attempts, codes } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { otpHash } from '#security/one-time.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import { isPassword } from '#security/password.ts'
import {
  createSoftwareRouter,
  createMainAccount,
  createSubAccount,
  unique,
  selectAudits,
} from '#tests/support/fixtures.ts'
import { insertDevice } from '#tests/support/rows.ts'
import { db, refusal, hashes } from '#tests/support/test-worker.ts'

/** A device as it comes out of the box. */
async function createBox() {
  const serial = unique('NL-').toUpperCase()
  const code = newActivationCode()
  await insertDevice({ serial, activationHash: await activationHash(env.HMAC_SECRET, serial, code) })
  return { serial, code }
}
const claim = (username: string, code: string) => ({ router_type: 1 as const, username, code, note: '机房' })
const WRONG = 'AAAA-AAAA-AAAA'

describe('network 7 · router/add, hardware', () => {
  it('takes serial and code however they are typed', async () => {
    const main = await createMainAccount()
    const { serial, code } = await createBox()
    const typed = claim(` ${serial.toLowerCase()} `, code.toLowerCase().replaceAll('-', ' '))
    expect(await main.call(routerApi.add, typed)).toMatchObject({
      code: 200,
      msg: '添加成功',
      data: { router_name: serial },
      trips: 2,
    })
    expect((await main.call(routerApi.lists, {})).data).toMatchObject([
      { router_name: serial, note: '机房', router_model: 'NL-200', presence: { state: 'never' } },
    ])
    const audits = await selectAudits(main.accountId)
    expect(audits).toMatchObject([
      {
        module: 'router',
        action: 'add',
        target: serial,
        message: `绑定硬件成员“${serial}”`,
        before: null,
        after: JSON.stringify({ router_name: serial, note: '机房' }),
      },
    ])
    expect(JSON.stringify(audits)).not.toContain(code)
  })

  it('an unknown serial and a wrong code are answered alike', async () => {
    const main = await createMainAccount()
    const { serial, code } = await createBox()
    const wrong = await main.call(routerApi.add, claim(serial, WRONG))
    const unknown = await main.call(routerApi.add, claim('NL-NOBODY', code))
    expect(wrong).toMatchObject({ ...refusal('DEVICE_UNKNOWN'), data: { field: 'code' } })
    expect([unknown.code, unknown.msg, unknown.data, unknown.trips]).toEqual([
      wrong.code,
      wrong.msg,
      wrong.data,
      wrong.trips,
    ])
  })

  it('a claimed device is not moved; without the code its owner is not revealed', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const { serial, code } = await createBox()
    await main.call(routerApi.add, claim(serial, code))
    expect(await stranger.call(routerApi.add, claim(serial, code))).toMatchObject(refusal('DEVICE_CLAIMED'))
    expect(await stranger.call(routerApi.add, claim(serial, WRONG))).toMatchObject(refusal('DEVICE_UNKNOWN'))
    await main.call(routerApi.delete, { router_name: serial })
    expect(await stranger.call(routerApi.add, claim(serial, code))).toMatchObject({ code: 200 })
  })

  it('of ten parallel claims by different accounts one succeeds', async () => {
    const { serial, code } = await createBox()
    const callers = await Promise.all(Array.from({ length: 10 }, () => createMainAccount()))
    const replies = await Promise.all(callers.map((caller) => caller.call(routerApi.add, claim(serial, code))))
    expect(replies.filter((r) => r.code === 200)).toHaveLength(1)
    for (const reply of replies.filter((r) => r.code !== 200)) expect(reply).toMatchObject(refusal('DEVICE_CLAIMED'))
  })

  it('twenty parallel guesses: five are checked, then even the right code is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const main = await createMainAccount()
    const { serial, code } = await createBox()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => main.call(routerApi.add, claim(serial, newActivationCode()))),
    )
    expect(replies.filter((r) => r.code === 422)).toHaveLength(ACTIVATION_GUARD.failures)
    const late = await main.call(routerApi.add, claim(serial, code))
    expect(late).toMatchObject({ code: 429, status: 429 })
    expect((late.data as unknown as { retry_after: number }).retry_after).toBe(ACTIVATION_GUARD.pauseMinutes * 60)
    await db
      .update(attempts)
      .set({ windowEnd: Date.now() - 1 })
      .where(eq(attempts.key, `activation:${main.accountId}:main`))
    expect(await main.call(routerApi.add, claim(serial, code))).toMatchObject({ code: 200 })
  })

  it('the guesses of a sub-account pause neither the main account nor a colleague', async () => {
    const main = await createMainAccount()
    const [guesser, colleague] = [
      await createSubAccount(main, { flags: ['router:create'] }),
      await createSubAccount(main, { flags: ['router:create'] }),
    ]
    const [first, second] = [await createBox(), await createBox()]
    for (let i = 0; i <= ACTIVATION_GUARD.failures; i++) await guesser.call(routerApi.add, claim(first.serial, WRONG))
    expect(await guesser.call(routerApi.add, claim(first.serial, first.code))).toMatchObject({ code: 429 })
    expect(await main.call(routerApi.add, claim(first.serial, first.code))).toMatchObject({ code: 200 })
    expect(await colleague.call(routerApi.add, claim(second.serial, second.code))).toMatchObject({ code: 200 })
  })

  it('parallel right codes count no failed attempt', async () => {
    const main = await createMainAccount()
    const boxes = await Promise.all(Array.from({ length: 12 }, createBox))
    const replies = await Promise.all(boxes.map(({ serial, code }) => main.call(routerApi.add, claim(serial, code))))
    expect(replies.filter((r) => r.code !== 200)).toEqual([])
    const counted = () =>
      db
        .select()
        .from(attempts)
        .where(eq(attempts.key, `activation:${main.accountId}:main`))
    expect(await counted()).toEqual([])
    const stranger = await createMainAccount() // nor does the right code of a claimed device
    for (const { serial, code } of boxes)
      expect(await stranger.call(routerApi.add, claim(serial, code))).toMatchObject(refusal('DEVICE_CLAIMED'))
  })

  it('a right code among parallel guesses does not raise their limit', async () => {
    const main = await createMainAccount()
    const [mine, other] = [await createBox(), await createBox()]
    const guesses = Array.from({ length: 10 }, () => claim(other.serial, newActivationCode()))
    const replies = await Promise.all(
      [claim(mine.serial, mine.code), ...guesses].map((input) => main.call(routerApi.add, input)),
    )
    expect(replies.filter((r) => r.code === 200).length).toBeLessThanOrEqual(1)
    expect(replies.filter((r) => r.code === 422).length).toBeLessThanOrEqual(ACTIVATION_GUARD.failures * 2)
    expect(await selectAudits(main.accountId)).toHaveLength(replies.filter((r) => r.code === 200).length)
  })

  it('a success resets the failure count', async () => {
    const main = await createMainAccount()
    for (let round = 0; round < 3; round++) {
      const { serial, code } = await createBox()
      for (let i = 0; i < 3; i++) await main.call(routerApi.add, claim(serial, WRONG))
      expect(await main.call(routerApi.add, claim(serial, code))).toMatchObject({ code: 200 })
    }
  })
})

describe('network 5 · router/add, software member', () => {
  const form = (username = unique('u'), over: object = {}) => ({
    router_type: 2 as const,
    username,
    password: 'Secret99',
    ...over,
  })
  const anAccount = (software = 3) => createMainAccount({ services: { software_member: software }, sign: unique('s') })
  const selectSign = async (main: Awaited<ReturnType<typeof createMainAccount>>) =>
    (await main.call(routerApi.quantity, {})).data.sign

  it('is name@sign with a hashed password', async () => {
    const main = await anAccount()
    const input = form('wang.li_1', { phone: '13800000001', note: '财务' })
    const reply = await main.call(routerApi.add, input)
    const name = `wang.li_1@${await selectSign(main)}`
    expect(reply).toMatchObject({ code: 200, msg: '添加成功', data: { router_name: name }, trips: 2 })
    const [row] = await db.select().from(routers).where(eq(routers.name, name))
    expect(row).toMatchObject({ routerType: 2, areaCode: '86', phone: '13800000001', note: '财务', source: 'manual' })
    expect(await isPassword('Secret99', row!.password)).toBe(true)
    expect(JSON.stringify(await selectAudits(main.accountId))).not.toMatch(/Secret99|scrypt/)
    expect(await main.call(routerApi.add, input)).toMatchObject(refusal('PHONE_MUST_VERIFY'))
    expect(await main.call(routerApi.add, { ...input, phone: '' })).toMatchObject(refusal('ROUTER_NAME_TAKEN'))
  })

  it('hashes nothing for a name that is taken, a common password or one that is the name', async () => {
    const main = await anAccount()
    const taken = form()
    await main.call(routerApi.add, taken)
    const before = hashes.length
    for (const [over, key, field] of [
      [{ ...taken, username: taken.username.toUpperCase() }, 'ROUTER_NAME_TAKEN', 'username'],
      [form(unique('u'), { password: '12345678' }), 'PASSWORD_COMMON', 'password'],
      [form('qiming01', { password: 'Qiming01' }), 'PASSWORD_PERSONAL', 'password'],
    ] as const)
      expect(await main.call(routerApi.add, over)).toMatchObject({ ...refusal(key), data: { field } })
    expect(hashes).toHaveLength(before)
  })

  it.each([
    [{ username: '' }, '请输入账号', 'username'],
    [{ username: '王' }, '名称不能包含特殊字符和中文', 'username'],
    [{ username: 'a'.repeat(19) }, '账号不能超过18个字符', 'username'],
    [{ password: '12345' }, '长度在 6 到 18 个字符', 'password'],
    [{ password: '' }, '密码不能为空', 'password'],
    [{ phone: '12800000000' }, '请输入正确的手机号码', 'phone'],
    [{ note: '备'.repeat(25) }, '备注不能超过24个字符', 'note'],
    [{ type: 2 }, '请输入手机号码', 'phone'],
    [{ type: 2, phone: '13800000000' }, '验证码不能为空', 'code'],
    [{ type: 2, phone: '13800000000', code: '12345' }, '验证码长度必须为6位', 'code'],
  ])('refuses %o', async (over, msg, field) => {
    const main = await anAccount()
    expect(await main.call(routerApi.add, form('name', over))).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('needs a suffix and free quota', async () => {
    const unsigned = await createMainAccount({ services: { software_member: 3 } })
    expect(await unsigned.call(routerApi.add, form())).toMatchObject(refusal('SIGN_REQUIRED'))
    const none = await createMainAccount({ sign: unique('s') })
    expect(await none.call(routerApi.add, form())).toMatchObject(refusal('SOFTWARE_LIMIT_REACHED', { limit: 0 }))
  })

  it('of ten parallel calls for a quota of three, three succeed', async () => {
    const main = await anAccount(3)
    const replies = await Promise.all(Array.from({ length: 10 }, () => main.call(routerApi.add, form())))
    expect(replies.filter((r) => r.code === 200)).toHaveLength(3)
    for (const reply of replies.filter((r) => r.code !== 200))
      expect(reply).toMatchObject(refusal('SOFTWARE_LIMIT_REACHED', { limit: 3 }))
    expect((await main.call(routerApi.lists, { type: 2 })).count).toBe(3)
  })

  it('a phone of another member is confirmed by a code, once', async () => {
    const main = await anAccount()
    const phone = '13700000000'
    await createSoftwareRouter(main.accountId, { phone })
    const answer = await otpHash(env.HMAC_SECRET, 'app_change_phone', '123456')
    const now = Date.now()
    await db.insert(codes).values({
      purpose: 'app_change_phone',
      target: `+86 ${phone}`,
      owner: `main:${main.accountId}`,
      accountId: main.accountId,
      answer,
      ip: '127.0.0.1',
      sentAt: now,
      expiresAt: now + 600_000,
    })
    const bind = (code: string) => main.call(routerApi.add, form(unique('u'), { phone, type: 2, code }))
    expect(await main.call(routerApi.add, form(unique('u'), { phone }))).toMatchObject({
      ...refusal('PHONE_MUST_VERIFY'),
      code: 401,
      data: { field: 'phone' },
    })
    expect(await bind('000000')).toMatchObject(refusal('CODE_WRONG'))
    const both = await Promise.all([bind('123456'), bind('123456')])
    expect(both.map((r) => r.code).toSorted()).toEqual([200, 422])
    expect(await bind('123456')).toMatchObject(refusal('CODE_WRONG'))
    const holders = await db
      .select()
      .from(routers)
      .where(and(eq(routers.accountId, main.accountId), eq(routers.phone, phone)))
    expect(holders).toHaveLength(2)
  })

  it('the same new phone twice at once: the second has to confirm', async () => {
    const main = await anAccount()
    const replies = await Promise.all(
      Array.from({ length: 2 }, () => main.call(routerApi.add, form(unique('u'), { phone: '13600000000' }))),
    )
    expect(replies.map((r) => r.code).toSorted()).toEqual([200, 401])
  })
})

it('adding requires the permission', async () => {
  const main = await createMainAccount()
  const sub = await createSubAccount(main, { flags: ['router:edit'] })
  const { serial, code } = await createBox()
  expect(await sub.call(routerApi.add, claim(serial, code))).toMatchObject(refusal('PERMISSION_DENIED'))
})
