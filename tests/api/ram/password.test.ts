import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { ramApi } from '#contract/ram/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { messages } from '#db/schema/notices.ts'
import { nextAddress, selectAudit, signIn } from '#tests/support/identity.ts'
import { PASSWORD, createMainAccount, createSession, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'

const form = (over: object = {}) => ({
  old_password: PASSWORD,
  password: 'Fresh2026',
  reset_password: 'Fresh2026',
  ...over,
})

describe('account 7 · ram/password', () => {
  it('changes the own password and ends only the own sessions', async () => {
    const main = await createMainAccount()
    const [sub, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    const second = await signIn(sub.username, {}, { kind: 'ram' })
    expect(await sub.call(ramApi.password, form())).toMatchObject({ code: 200, msg: '修改成功', data: null, trips: 2 })
    for (const token of [sub.token, second.data.access_token]) {
      expect((await sub.call(accountApi.service, {}, { token })).code).toBe(2002)
    }
    expect((await main.call(accountApi.service, {})).code).toBe(200)
    expect((await colleague.call(accountApi.service, {})).code).toBe(200)
    expect(await signIn(sub.username, {}, { kind: 'ram' })).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await signIn(sub.username, { password: 'Fresh2026' }, { kind: 'ram' })).toMatchObject({ code: 200 })
    expect(hubCalls.filter(({ hub, method }) => hub === main.hub && method === 'refresh')).toHaveLength(1)
    expect((await selectAudit(main.accountId)).find(({ module }) => module === 'ram')).toMatchObject({
      actorKind: 'ram',
      actorId: sub.ramId,
      message: '修改登录密码',
    })
  })

  it('is announced to the person by a site message, and to the account by mail under its brand', async () => {
    const email = `${unique('owner')}@example.com`
    const main = await createMainAccount({ email, host: 'qianfan.netloom.cn' })
    const [sub, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    const address = nextAddress()
    await sub.call(ramApi.password, form(), { ip: address, headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' } })
    const [row, ...more] = await db.select().from(messages).where(eq(messages.accountId, main.accountId))
    expect(more).toEqual([])
    expect(row).toMatchObject({ type: '安全', title: '子账号登录密码已修改', person: `ram:${sub.ramId}` })
    expect(row!.content).toContain(`子账号 ${sub.username} 的登录密码已修改，其登录已全部退出。时间 `)
    expect(row!.content).toContain(`来自 ${address}，设备 Windows · `)
    for (const [who, unread] of [
      [main, 0],
      [colleague, 0],
      [await createSession(sub.session), 1],
    ] as const)
      expect((await who.call(accountApi.info, {})).data.message_count).toBe(unread)
    const mails = await db.select().from(outbox).where(eq(outbox.recipient, email))
    expect(mails).toMatchObject([{ kind: 'mail', subject: '【千帆通】安全通知：子账号登录密码已修改' }])
    expect(mails[0]!.body).toContain(row!.content)
  })

  it('of an account without e-mail sends no mail, and a change that is refused announces nothing', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const announced = () => db.$count(messages, eq(messages.accountId, main.accountId))
    await sub.call(ramApi.password, form({ old_password: 'wrong-one' }))
    expect(await announced()).toBe(0)
    expect((await sub.call(ramApi.password, form())).code).toBe(200)
    expect(await announced()).toBe(1)
  })

  it('refuses the wrong old password on its field, and pauses guessing', async () => {
    const sub = await createSubAccount(await createMainAccount())
    for (let i = 0; i < LOGIN_GUARD.failures; i++) {
      const answer = await sub.call(ramApi.password, form({ old_password: 'wrong-one' }))
      expect(answer).toMatchObject({ ...refusal('OLD_PASSWORD_WRONG'), data: { field: 'old_password' } })
    }
    expect(await sub.call(ramApi.password, form())).toMatchObject({
      ...refusal('PASSWORD_PAUSED', { minutes: LOGIN_GUARD.pauseMinutes }),
      data: { field: 'old_password', retry_after: expect.any(Number) },
    })
  })

  it.each([
    [{ password: PASSWORD, reset_password: PASSWORD }, 'PASSWORD_UNCHANGED'],
    [{ password: 'Password1', reset_password: 'Password1' }, 'PASSWORD_COMMON'],
    [{ password: 'a123456', reset_password: 'a123456' }, 'PASSWORD_COMMON'],
  ] as const)('refuses %o on its field, before anything is hashed', async (over, key) => {
    const sub = await createSubAccount(await createMainAccount())
    const before = hashes.length
    expect(await sub.call(ramApi.password, form(over))).toMatchObject({ ...refusal(key), data: { field: 'password' } })
    expect(hashes).toHaveLength(before)
  })

  it('a new password that is refused is no guess of the old one', async () => {
    const phone = `136${String(Date.now()).slice(-8)}`
    const sub = await createSubAccount(await createMainAccount({ phone }))
    for (const password of ['a123456', phone])
      for (let i = 0; i <= LOGIN_GUARD.failures; i++)
        expect((await sub.call(ramApi.password, form({ password, reset_password: password }))).reason).toMatch(
          /^PASSWORD_(COMMON|PERSONAL)$/,
        )
    expect(await sub.call(ramApi.password, form())).toMatchObject({ code: 200 })
  })

  it('says that a new password is the account’s phone only to who knows the old one', async () => {
    const phone = `135${String(Date.now()).slice(-8)}`
    const sub = await createSubAccount(await createMainAccount({ phone }))
    const guess = form({ old_password: 'wrong-one', password: phone, reset_password: phone })
    expect(await sub.call(ramApi.password, guess)).toMatchObject(refusal('OLD_PASSWORD_WRONG'))
  })

  it('refuses the own name, and the phone of the account', async () => {
    const phone = `136${String(Date.now()).slice(-8)}`
    const sub = await createSubAccount(await createMainAccount({ phone }), { username: 'qiming01' })
    for (const password of ['QiMing01', phone])
      expect(await sub.call(ramApi.password, form({ password, reset_password: password }))).toMatchObject(
        refusal('PASSWORD_PERSONAL'),
      )
  })

  it('compares and hashes as one request of the account', async () => {
    const sub = await createSubAccount(await createMainAccount())
    const before = hashes.length
    await sub.call(ramApi.password, form())
    expect(hashes.slice(before).map(({ client }) => client)).toEqual([
      { account: `account:${sub.accountId}`, source: `person:${sub.accountId}:${sub.ramId}`, isAnonymous: false },
    ])
  })

  it('counts no try where the pool refuses', async () => {
    const busy = createTestWorker({
      passwords: () => ({ run: async () => refuse('HASHING_BUSY', { retry_after: 2 }) }),
    })
    const sub = await createSubAccount(await createMainAccount())
    for (let i = 0; i <= LOGIN_GUARD.failures; i++)
      expect(await busy.call(ramApi.password, form(), sub.token)).toMatchObject({ code: 429, reason: 'HASHING_BUSY' })
    expect(await sub.call(ramApi.password, form())).toMatchObject({ code: 200 })
  })

  it('is for sub-accounts only', async () => {
    const main = await createMainAccount()
    expect(await main.call(ramApi.password, form())).toMatchObject(refusal('PERMISSION_DENIED'))
  })

  it.each([
    ['old_password', { old_password: '' }, '原密码不能为空'],
    ['password', { password: '12345', reset_password: '12345' }, '密码长度6-18位'],
    ['reset_password', { reset_password: 'Other2026' }, '2次密码输入不一致'],
  ])('names the field %s of %j', async (field, over, msg) => {
    const sub = await createSubAccount(await createMainAccount())
    expect(await sub.call(ramApi.password, form(over))).toMatchObject({ code: 422, msg, data: { field } })
  })
})

describe('directory 7 · ram/domain', () => {
  it('answers the suffix to the main account only', async () => {
    const main = await createMainAccount({ ramDomain: 'suffix' + Date.now() })
    expect(await main.call(ramApi.domain, {})).toMatchObject({
      data: { domain: expect.stringMatching(/^suffix\d+$/) },
      trips: 1,
    })
    const sub = await createSubAccount(main)
    expect(await sub.call(ramApi.domain, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})
