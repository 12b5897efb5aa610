import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { accounts } from '#db/schema/accounts.ts'
import { createOutside } from '#outside/adapters.ts'
import { PASSWORD, createMainAccount, unique } from '#tests/support/fixtures.ts'
import { openSessions, selectAudit } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import {
  createPerson,
  lastText,
  otherThan,
  proveByPhone,
  selectMessages,
  sendNewCode,
  signInAgain,
} from '#tests/support/own-contact.ts'
import { createTestWorker, db, hashes, refusal } from '#tests/support/test-worker.ts'

const toInput = (phone: string) => ({ area_code: '86', phone: phone.slice(4) })
const createEmail = () => `${unique('new')}@example.com`
const selectRow = async (accountId: number) => (await db.select().from(accounts).where(eq(accounts.id, accountId)))[0]!

describe('account 7 · account/edit_phone and account/edit_email', () => {
  it('replaces the phone; the old and the new number and the e-mail hear of it, and a site message', async () => {
    const { main, phone, email } = await createPerson()
    const other = await signInAgain(main)
    await proveByPhone(main, phone)
    const to = createPhone()
    const input = { ...toInput(to), code: await sendNewCode(main, to) }
    expect(await main.call(accountApi.editPhone, input)).toMatchObject({ code: 200, msg: '修改成功', trips: 2 })
    expect(await selectRow(main.accountId)).toMatchObject({ areaCode: '86', phone: to.slice(4), email })
    expect(await other.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await openSessions(main.accountId)).map(({ id }) => id)).toEqual([main.session.id])

    const [message] = await selectMessages(main.accountId)
    const [old, bound] = [phone, to].map((number) => `+86 ${number.slice(4, 7)}****${number.slice(-4)}`)
    expect(message).toMatchObject({ type: '安全', title: '绑定手机已更换', person: '' })
    expect(message!.content).toContain(`绑定的手机由 ${old} 更换为 ${bound}，其他登录已全部退出`)
    for (const contact of [phone, to, email]) expect(await lastText(contact)).toContain(message!.content)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      action: 'edit_phone',
      message: '更换手机',
      before: JSON.stringify({ phone: old }),
      after: JSON.stringify({ phone: bound }),
    })
  })

  it('replaces the e-mail, in lower case', async () => {
    const { main, phone, email } = await createPerson()
    await proveByPhone(main, phone)
    const to = createEmail()
    const input = { email: to.toUpperCase(), code: await sendNewCode(main, to) }
    expect(await main.call(accountApi.editEmail, input)).toMatchObject({ code: 200, msg: '修改成功' })
    expect(await selectRow(main.accountId)).toMatchObject({ email: to })
    for (const contact of [phone, to, email]) expect(await lastText(contact)).toContain('绑定的邮箱由')
  })

  it('the second contact of an account needs the step by the first', async () => {
    const phone = createPhone()
    const main = await createMainAccount({ phone: phone.slice(4) })
    const email = createEmail()
    const input = { email, code: await sendNewCode(main, email), password: PASSWORD }
    expect(await main.call(accountApi.editEmail, input)).toMatchObject(refusal('IDENTITY_REQUIRED'))
    await proveByPhone(main, phone)
    expect((await main.call(accountApi.editEmail, input)).code).toBe(200)
    expect((await selectMessages(main.accountId))[0]).toMatchObject({ title: '邮箱已绑定' })
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ message: '绑定邮箱' })
  })

  it('sends the notices once the answer has left, and a provider that fails changes nothing', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    const to = createPhone()
    const input = { ...toInput(to), code: await sendNewCode(main, to) }
    const events: string[] = []
    const sendNotice = async () => {
      events.push('notice')
      throw new Error('down')
    }
    const worker = createTestWorker({
      outside: (env) => ({ ...createOutside(env), sms: { ...createOutside(env).sms, sendNotice } }),
      onAnswer: () => void events.push('answer'),
    })
    expect(await worker.call(accountApi.editPhone, input, main.token)).toMatchObject({ code: 200 })
    expect(events).toEqual(['answer', 'notice', 'notice'])
  })

  it('refuses a code for another number, of another purpose, and a second use', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    const [to, elsewhere] = [createPhone(), createPhone()]
    const code = await sendNewCode(main, to)
    expect(await main.call(accountApi.editPhone, { ...toInput(elsewhere), code })).toMatchObject(refusal('CODE_WRONG'))
    expect(await main.call(accountApi.editPhone, { ...toInput(to), code: otherThan(code) })).toMatchObject({
      ...refusal('CODE_WRONG'),
      data: { field: 'code' },
    })
    expect((await main.call(accountApi.editPhone, { ...toInput(to), code })).code).toBe(200)
    await db.update(accounts).set({ phone: null }).where(eq(accounts.id, main.accountId))
    expect((await main.call(accountApi.editPhone, { ...toInput(to), code })).code).toBe(401)
  })

  it('says that a phone is taken only to who had the code that went there', async () => {
    const { phone: taken } = await createPerson()
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    const free = createPhone()
    const [toTaken, toFree] = [toInput(taken), toInput(free)]
    const without = [await main.call(accountApi.editPhone, toTaken), await main.call(accountApi.editPhone, toFree)]
    expect(without.map(({ reason }) => reason)).toEqual(['CODE_REQUIRED', 'CODE_REQUIRED'])
    const code = await sendNewCode(main, taken)
    const wrong = { code: otherThan(code) }
    const guessed = [
      await main.call(accountApi.editPhone, { ...toTaken, ...wrong }),
      await main.call(accountApi.editPhone, { ...toFree, ...wrong }),
    ]
    expect(guessed.map(({ reason }) => reason)).toEqual(['CODE_WRONG', 'CODE_WRONG'])
    expect(await main.call(accountApi.editPhone, { ...toTaken, code })).toMatchObject({
      ...refusal('PHONE_TAKEN'),
      data: { field: 'phone' },
    })
  })

  it('one of two accounts that bind the same phone at once gets it', async () => {
    const to = createPhone()
    const people = [await createPerson(), await createPerson()]
    const inputs = await Promise.all(
      people.map(async ({ main, phone }) => {
        await proveByPhone(main, phone)
        return { ...toInput(to), code: await sendNewCode(main, to) }
      }),
    )
    const answers = await Promise.all(people.map(({ main }, i) => main.call(accountApi.editPhone, inputs[i]!)))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })

  it('refuses the contact that is bound already', async () => {
    const { main, phone, email } = await createPerson()
    await proveByPhone(main, phone)
    expect(await main.call(accountApi.editPhone, toInput(phone))).toMatchObject(refusal('PHONE_UNCHANGED'))
    const unchanged = refusal('EMAIL_UNCHANGED')
    expect(await main.call(accountApi.editEmail, { email: email.toUpperCase() })).toMatchObject(unchanged)
  })
})

describe('account 8 · phone binding: 401 makes the code field appear', () => {
  it('tells a code that is missing from an identity step that is missing', async () => {
    const { main, phone } = await createPerson()
    const input = toInput(createPhone())
    expect(await main.call(accountApi.editPhone, input)).toMatchObject({ code: 401, reason: 'IDENTITY_REQUIRED' })
    await proveByPhone(main, phone)
    expect(await main.call(accountApi.editPhone, { ...input, code: '' })).toMatchObject({
      code: 401,
      reason: 'CODE_REQUIRED',
      msg: '请输入验证码',
      data: { field: 'code' },
    })
  })
})

describe('account 2 · the first contact of an account', () => {
  it('is bound with the password in place of the identity step', async () => {
    const main = await createMainAccount()
    const to = createPhone()
    const input = { ...toInput(to), password: PASSWORD }
    expect(await main.call(accountApi.editPhone, toInput(to))).toMatchObject(refusal('LOGIN_PASSWORD_REQUIRED'))
    expect(await main.call(accountApi.editPhone, input)).toMatchObject(refusal('CODE_REQUIRED'))
    const code = await sendNewCode(main, to)
    expect(await main.call(accountApi.editPhone, { ...input, code })).toMatchObject({ code: 200, trips: 2 })
    expect((await selectMessages(main.accountId))[0]).toMatchObject({ title: '手机已绑定' })
    expect((await main.call(accountApi.info, {})).data.user_phone).toMatch(/^\+86 188\*{4}\d{4}$/)
  })

  it('refuses wrong passwords at their field, pauses after five, and counts none without the right code', async () => {
    const main = await createMainAccount()
    const to = createPhone()
    const code = await sendNewCode(main, to)
    const bind = (password: string, typed = code) =>
      main.call(accountApi.editPhone, { ...toInput(to), code: typed, password })
    const before = hashes.length
    for (let i = 0; i < 4; i++) expect((await bind('Wrong2026', otherThan(code))).reason).toBe('CODE_WRONG')
    expect(hashes).toHaveLength(before)
    for (let i = 0; i < LOGIN_GUARD.failures; i++)
      expect(await bind('Wrong2026')).toMatchObject({ ...refusal('LOGIN_PASSWORD_WRONG'), data: { field: 'password' } })
    expect(await bind(PASSWORD)).toMatchObject({
      ...refusal('LOGIN_PASSWORD_PAUSED', { minutes: LOGIN_GUARD.pauseMinutes }),
      data: { field: 'password' },
    })
    expect((await selectRow(main.accountId)).phone).toBeNull()
  })

  it('counts no try where the pool refuses', async () => {
    const main = await createMainAccount()
    const to = createPhone()
    const input = { ...toInput(to), code: await sendNewCode(main, to), password: PASSWORD }
    const busy = createTestWorker({
      passwords: () => ({ run: async () => refuse('HASHING_BUSY', { retry_after: 2 }) }),
    })
    for (let i = 0; i <= LOGIN_GUARD.failures; i++)
      expect((await busy.call(accountApi.editPhone, input, main.token)).reason).toBe('HASHING_BUSY')
    expect((await main.call(accountApi.editPhone, input)).code).toBe(200)
  })

  it('counts no try where the contact is taken', async () => {
    const { phone: taken } = await createPerson()
    const main = await createMainAccount()
    const input = { ...toInput(taken), code: await sendNewCode(main, taken), password: PASSWORD }
    for (let i = 0; i <= LOGIN_GUARD.failures; i++)
      expect(await main.call(accountApi.editPhone, input)).toMatchObject({ ...refusal('PHONE_TAKEN'), trips: 2 })
    const to = createPhone()
    const free = { ...toInput(to), code: await sendNewCode(main, to), password: PASSWORD }
    expect(await main.call(accountApi.editPhone, free)).toMatchObject({ code: 200 })
  })

  it('takes the step where another session has bound one meanwhile', async () => {
    const main = await createMainAccount()
    const to = createPhone()
    const input = { ...toInput(to), code: await sendNewCode(main, to), password: PASSWORD }
    const worker = createTestWorker({
      afterFirstTrip: () => db.update(accounts).set({ email: createEmail() }).where(eq(accounts.id, main.accountId)),
    })
    expect(await worker.call(accountApi.editPhone, input, main.token)).toMatchObject(refusal('IDENTITY_REQUIRED'))
    expect((await selectRow(main.accountId)).phone).toBeNull()
  })
})

describe('account 5 · bind form', () => {
  it.each([
    ['phone', { area_code: '86', phone: '' }, '请输入手机号码'],
    ['phone', { area_code: '86', phone: '12345678901' }, '请输入正确的手机号码'],
    ['phone', { area_code: '852', phone: '123' }, '请输入最低4位数的手机号码'],
    ['code', { area_code: '86', phone: '13800000000', code: '123' }, '验证码长度必须为6位'],
  ])('edit_phone refuses at %s %j: %s', async (field, input, msg) => {
    const { main } = await createPerson()
    expect(await main.call(accountApi.editPhone, input as never)).toMatchObject({ code: 422, msg, data: { field } })
  })
  it.each([
    ['email', { email: '' }, '请输入邮箱'],
    ['email', { email: 'x@' }, '请输入正确的邮箱'],
    ['email', { email: `${'a'.repeat(60)}@b.cn` }, '邮箱不能超过64个字符'],
  ])('edit_email refuses at %s %j: %s', async (field, input, msg) => {
    const { main } = await createPerson()
    expect(await main.call(accountApi.editEmail, input as never)).toMatchObject({ code: 422, msg, data: { field } })
  })
})
