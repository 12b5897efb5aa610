import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { SESSION } from '#contract/login/limits.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { OTP } from '#contract/verify/limits.ts'
import { accounts, codes, recoveries, sessions } from '#db/schema/accounts.ts'
import { PASSWORD, createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { lastCode, openSessions, selectAudit, signIn } from '#tests/support/identity.ts'
import { createPhone, tooSoon } from '#tests/support/otp.ts'
import {
  createPerson,
  lastText,
  otherThan,
  proveByPhone,
  selectMessages,
  sendNewCode,
  signInAgain,
} from '#tests/support/own-contact.ts'
import { call, createTestWorker, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'

const byPhone = { send_type: 'phone', verify_type: 'verify_phone' } as const
const byEmail = { send_type: 'email', verify_type: 'verify_email' } as const
const newPassword = { new_password: 'Fresh2026', reset_password: 'Fresh2026' }

describe('account 7 · account/default_phone and account/default_email', () => {
  it('send a code to the own contact, without a payload, and wait 59 s', async () => {
    const { main, phone, email } = await createPerson()
    expect(await main.call(accountApi.defaultPhone, {})).toMatchObject({ code: 200, msg: '发送成功', trips: 2 })
    expect(await main.call(accountApi.defaultEmail, {})).toMatchObject({ code: 200, msg: '发送成功', trips: 2 })
    expect(await lastCode(phone)).toMatch(/^\d{6}$/)
    expect(await lastCode(email)).toMatch(/^\d{6}$/)
    expect(await main.call(accountApi.defaultPhone, {})).toMatchObject(tooSoon)
  })

  it('ask for a contact where there is none', async () => {
    const main = await createMainAccount()
    expect(await main.call(accountApi.defaultPhone, {})).toMatchObject(refusal('PHONE_UNSET'))
    expect(await main.call(accountApi.defaultEmail, {})).toMatchObject(refusal('EMAIL_UNSET'))
    expect(await main.call(verifyApi.verify, { ...byPhone, code: '123456' })).toMatchObject(refusal('PHONE_UNSET'))
  })

  it('are the main account’s', async () => {
    const { main } = await createPerson()
    const sub = await createSubAccount(main)
    for (const spec of [accountApi.defaultPhone, accountApi.defaultEmail])
      expect(await sub.call(spec, {})).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await sub.call(verifyApi.verify, { ...byPhone, code: '123456' })).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('account 7 · verify/verify without send_value is the identity step', () => {
  it.each(['phone', 'email'] as const)('proves this session by its own %s', async (kind) => {
    const { main, ...to } = await createPerson()
    await main.call(kind === 'phone' ? accountApi.defaultPhone : accountApi.defaultEmail, {})
    const input = { ...(kind === 'phone' ? byPhone : byEmail), code: (await lastCode(to[kind]))! }
    expect(await main.call(verifyApi.verify, input)).toMatchObject({ code: 200, data: null, trips: 2 })
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject({ code: 200, trips: 2 })
  })

  it('is no such step for a member’s phone', async () => {
    const { main } = await createPerson()
    const input = { send_type: 'phone', verify_type: 'app_change_phone', code: '123456' } as const
    expect(await main.call(verifyApi.verify, input)).toMatchObject({ code: 422, data: { field: 'send_value' } })
  })

  it('proves nobody by a code that went elsewhere, or with the recipient named', async () => {
    const { main, phone } = await createPerson()
    const code = await sendNewCode(main, createPhone())
    expect(await main.call(verifyApi.verify, { ...byPhone, code })).toMatchObject(refusal('CODE_WRONG'))
    const own = await sendNewCode(main, phone)
    expect((await main.call(verifyApi.verify, { ...byPhone, send_value: phone, code: own })).code).toBe(200)
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject(refusal('IDENTITY_REQUIRED'))
  })

  it('counts exactly five of many wrong codes at once, and the right one is void then', async () => {
    const { main, phone } = await createPerson()
    await main.call(accountApi.defaultPhone, {})
    const code = (await lastCode(phone))!
    const tries = Array.from({ length: 12 }, () => main.call(verifyApi.verify, { ...byPhone, code: otherThan(code) }))
    expect((await Promise.all(tries)).every((answer) => answer.code === 422)).toBe(true)
    const [row] = await db.select().from(codes).where(eq(codes.target, phone))
    expect(row!.tries).toBe(OTP.tries)
    expect(await main.call(verifyApi.verify, { ...byPhone, code })).toMatchObject(refusal('CODE_WRONG'))
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject(refusal('IDENTITY_REQUIRED'))
  })

  it('the code is used up; shown again by the session that it proved it is right, by no other', async () => {
    const { main, phone } = await createPerson()
    const other = await signInAgain(main)
    await main.call(accountApi.defaultPhone, {})
    const input = { ...byPhone, code: (await lastCode(phone))! }
    for (let i = 0; i < 2; i++) expect((await main.call(verifyApi.verify, input)).code).toBe(200)
    expect(await other.call(verifyApi.verify, input)).toMatchObject(refusal('CODE_WRONG'))
    await main.call(accountApi.editPassword, newPassword)
    expect(await main.call(verifyApi.verify, input)).toMatchObject(refusal('CODE_WRONG'))
  })

  it('of two sessions that show it at once one is proved', async () => {
    const { main, phone } = await createPerson()
    const other = await signInAgain(main)
    await main.call(accountApi.defaultPhone, {})
    const input = { ...byPhone, code: (await lastCode(phone))! }
    const answers = await Promise.all([main, other].map((who) => who.call(verifyApi.verify, input)))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })
})

describe('account 2 · calls that the identity step allows', () => {
  it('one change: a second one, of any kind, needs another step', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    expect((await main.call(accountApi.editPassword, newPassword)).code).toBe(200)
    const again = { new_password: 'Other2026', reset_password: 'Other2026' }
    expect(await main.call(accountApi.editPassword, again)).toMatchObject(refusal('IDENTITY_REQUIRED'))
    const to = createPhone()
    const input = { area_code: '86', phone: to.slice(4), code: await sendNewCode(main, to) }
    expect(await main.call(accountApi.editPhone, input)).toMatchObject(refusal('IDENTITY_REQUIRED'))
  })

  it('one of two changes at once', async () => {
    const { main, phone, email } = await createPerson()
    const to = `new.${email}`
    const code = await sendNewCode(main, to)
    await proveByPhone(main, phone)
    const answers = await Promise.all([
      main.call(accountApi.editPassword, newPassword),
      main.call(accountApi.editEmail, { email: to, code }),
    ])
    expect(answers.map(({ code: of }) => of).toSorted()).toEqual([200, 401])
  })

  it('nothing in another session of the same person', async () => {
    const { main, phone } = await createPerson()
    const other = await signInAgain(main)
    await proveByPhone(main, phone)
    expect(await other.call(accountApi.editPassword, newPassword)).toMatchObject(refusal('IDENTITY_REQUIRED'))
  })

  it('for ten minutes', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    await db.update(sessions).set({ provedUntil: Date.now() }).where(eq(sessions.id, main.session.id))
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject(refusal('IDENTITY_REQUIRED'))
  })

  it('from the moment of the step on', async () => {
    const { main, phone } = await createPerson()
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    await proveByPhone(main, phone)
    const [row] = await db.select().from(sessions).where(eq(sessions.id, main.session.id))
    expect(row!.provedUntil).toBe(Date.now() + SESSION.provedMinutes * 60_000)
    vi.useRealTimers()
  })
})

describe('account 7 · account/edit_password', () => {
  it('changes it, ends all other sessions of the person, and says so everywhere', async () => {
    const { main, phone, email } = await createPerson()
    const sub = await createSubAccount(main)
    const other = await signInAgain(main)
    await proveByPhone(main, phone)
    const before = hubCalls.length
    const sent = {
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36' },
      ip: '203.0.113.9',
    }
    expect(await main.call(accountApi.editPassword, newPassword, sent)).toMatchObject({ code: 200, msg: '修改成功' })

    expect(await other.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await main.call(accountApi.info, {})).code).toBe(200)
    expect((await sub.call(accountApi.info, {})).code).toBe(200)
    expect(hubCalls.slice(before)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(await signIn(main.username)).toMatchObject(refusal('LOGIN_FAILED'))
    expect((await signIn(main.username, { password: 'Fresh2026' })).code).toBe(200)

    const [message] = await selectMessages(main.accountId)
    expect(message).toMatchObject({ type: '安全', title: '登录密码已修改', person: '' })
    expect(message!.content).toMatch(
      /时间 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d，来自 203\.0\.113\.9，设备 Windows · Chrome 126/,
    )
    expect(await lastText(phone)).toBe(message!.content)
    expect(await lastText(email)).toContain(message!.content)
    expect((await selectAudit(main.accountId)).find(({ action }) => action === 'edit_password')).toMatchObject({
      module: 'account',
      actorKind: 'main',
      message: '修改登录密码',
      before: null,
    })
  })

  it('voids recoveries that were begun before', async () => {
    const { main, phone } = await createPerson()
    const row = { uniqid: `r${main.username}`, accountId: main.accountId, step: 'verified', expiresAt: 9e12 } as const
    await db.insert(recoveries).values(row)
    await proveByPhone(main, phone)
    await main.call(accountApi.editPassword, newPassword)
    const reset = { uniqid: row.uniqid, password: 'Stolen2026', reset_password: 'Stolen2026' }
    expect(await call(verifyApi.resetPassword, reset)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('needs a bound phone or e-mail', async () => {
    const main = await createMainAccount()
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject({
      code: 423,
      msg: '请先绑定手机或者邮箱，再修改密码',
    })
  })

  it.each([
    [{ new_password: '', reset_password: '' }, 'new_password', '密码不能为空'],
    [{ new_password: 'Fresh2026', reset_password: '' }, 'reset_password', '重复密码不能为空'],
    [{ new_password: '12345', reset_password: '12345' }, 'new_password', '必须6到18位'],
    [{ new_password: 'a'.repeat(19), reset_password: 'a'.repeat(19) }, 'new_password', '必须6到18位'],
    [{ new_password: 'Fresh2026', reset_password: 'Fresh2027' }, 'reset_password', '2次密码输入不一致'],
    [{}, 'new_password', '密码不能为空'],
  ])('refuses %j at %s: %s', async (input, field, msg) => {
    const { main } = await createPerson()
    expect(await main.call(accountApi.editPassword, input as never)).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('refuses a common, an own and the old password at its field, and keeps the step', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    const set = (text: string) => main.call(accountApi.editPassword, { new_password: text, reset_password: text })
    const data = { field: 'new_password' }
    expect(await set('a123456')).toMatchObject({ ...refusal('PASSWORD_COMMON'), data })
    expect(await set(phone.slice(4))).toMatchObject({ ...refusal('PASSWORD_PERSONAL'), data })
    expect(await set(PASSWORD)).toMatchObject({ ...refusal('PASSWORD_UNCHANGED'), data })
    expect((await set('Fresh2026')).code).toBe(200)
  })

  it('hashes nothing without the step', async () => {
    const { main } = await createPerson()
    const before = hashes.length
    expect(await main.call(accountApi.editPassword, newPassword)).toMatchObject(refusal('IDENTITY_REQUIRED'))
    expect(hashes).toHaveLength(before)
  })

  it('changes nothing where the session ends between its read and its write', async () => {
    const { main, phone } = await createPerson()
    await proveByPhone(main, phone)
    const [before] = await db.select().from(accounts).where(eq(accounts.id, main.accountId))
    const worker = createTestWorker({
      afterFirstTrip: () => db.update(sessions).set({ endedAt: 1 }).where(eq(sessions.id, main.session.id)),
    })
    expect(await worker.call(accountApi.editPassword, newPassword, main.token)).toMatchObject(
      refusal('IDENTITY_REQUIRED'),
    )
    const [after] = await db.select().from(accounts).where(eq(accounts.id, main.accountId))
    expect(after).toEqual(before)
    expect(await openSessions(main.accountId)).toEqual([])
  })
})
