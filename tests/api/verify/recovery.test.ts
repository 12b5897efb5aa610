import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { FAILURE_WORK, OTP, OTP_LIMITS } from '#contract/verify/limits.ts'
import { attempts, codes, recoveries } from '#db/schema/accounts.ts'
import { createCaptcha, nextAddress, selectAudit, lastCode, openSessions, signIn } from '#tests/support/identity.ts'
import { PASSWORD, createSubAccount } from '#tests/support/fixtures.ts'
import { lastText, selectMessages } from '#tests/support/own-contact.ts'
import { createRecoverable, openRecovery, sendRecoveryCode } from '#tests/support/recovery.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const prove = (uniqid: string, code: string, send_type: 'phone' | 'email' = 'phone') =>
  call(verifyApi.authentication, { uniqid, send_type, code })
const reset = (uniqid: string, password = 'Changed26') =>
  call(verifyApi.resetPassword, { uniqid, password, reset_password: password })

describe('account 2 · password recovery', () => {
  it('is replaced in three steps, by phone or by e-mail, and everybody is signed out', async () => {
    for (const kind of ['phone', 'email'] as const) {
      const { username, accountId, hub, call: ask, to } = await createRecoverable()
      const sub = await createSubAccount({ accountId, hub })
      const { data, trips } = await openRecovery(username)
      expect(data).toMatchObject({ phone: '绑定的手机', email: '绑定的邮箱' })
      const counted = [trips, (await sendRecoveryCode(data.uniqid, kind)).trips]
      const target = kind === 'phone' ? to : (await selectEmail(accountId))!
      const proved = await prove(data.uniqid, (await lastCode(target))!, kind)
      expect(proved.data).toEqual({ phone: to.replace(/\d{4}(?=\d{4}$)/, '****'), email: 'm***@e***.com' })
      counted.push(proved.trips)
      const done = await reset(data.uniqid)
      expect(done).toMatchObject({ code: 200, msg: '修改成功' })
      expect([...counted, done.trips]).toEqual([1, 2, 2, 2])
      expect((await ask(accountApi.service, {})).code).toBe(2002)
      expect((await sub.call(accountApi.service, {})).code).toBe(200)
      expect(hubCalls.filter((call) => call.hub === hub && call.method === 'refresh')).toHaveLength(1)
      expect(await signIn(username)).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await signIn(username, { password: 'Changed26' })).toMatchObject({ code: 200 })
      expect((await selectAudit(accountId)).some(({ action }) => action === 'reset_password')).toBe(true)
      expect(await reset(data.uniqid, 'Again2026')).toMatchObject(refusal('RECOVERY_STEP'))
      const [message] = await selectMessages(accountId)
      expect(message).toMatchObject({ type: '安全', title: '登录密码已重置' })
      for (const contact of [to, (await selectEmail(accountId))!])
        expect(await lastText(contact)).toContain(message!.content)
    }
  })

  it('ends the pauses of the account, wherever its old password was guessed', async () => {
    const { username, accountId, to } = await createRecoverable()
    const other = await createRecoverable()
    const ips = [nextAddress(), nextAddress()]
    const windowEnd = Date.now() + 600_000
    for (const of of [accountId, other.accountId]) {
      const keys = [`login:main:${of}`, ...ips.map((ip) => `login:main:${of}:${ip}`)]
      await db.insert(attempts).values(keys.map((key) => ({ key, count: FAILURE_WORK.perAccount, windowEnd })))
    }
    expect(await signIn(username, {}, { ip: ips[0]! })).toMatchObject({ reason: 'WORK_REQUIRED' })
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    expect(await reset(data.uniqid)).toMatchObject({ code: 200, trips: 2 })
    for (const ip of ips) expect(await signIn(username, { password: 'Changed26' }, { ip })).toMatchObject({ code: 200 })
    expect(await signIn(other.username, {}, { ip: ips[0]! })).toMatchObject({ reason: 'WORK_REQUIRED' })
  })

  it('refuses the old password, a common one and the own name, and takes another then', async () => {
    const { username, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    for (const [password, key] of [
      [PASSWORD, 'PASSWORD_UNCHANGED'],
      ['88888888', 'PASSWORD_COMMON'],
      [username, 'PASSWORD_PERSONAL'],
    ] as const)
      expect(await reset(data.uniqid, password)).toMatchObject({ ...refusal(key), data: { field: 'password' } })
    expect(await reset(data.uniqid)).toMatchObject({ code: 200 })
  })

  it('enforces the order of the steps', async () => {
    const { username, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    expect(await reset(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await prove(data.uniqid, '123456')).toMatchObject(refusal('CODE_WRONG'))
    expect(await reset(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    await sendRecoveryCode(data.uniqid)
    const code = (await lastCode(to))!
    expect(await prove(data.uniqid, code, 'email')).toMatchObject(refusal('CODE_WRONG'))
    expect(await prove(data.uniqid, code)).toMatchObject({ code: 200 })
    expect(await sendRecoveryCode(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('answers a right code again whose answer was lost, until the password is set', async () => {
    const { username, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    const code = (await lastCode(to))!
    const first = await prove(data.uniqid, code)
    expect(first).toMatchObject({ code: 200, trips: 2 })
    expect(await prove(data.uniqid, code)).toMatchObject({ code: 200, data: first.data, trips: 2 })
    expect(await prove(data.uniqid, code, 'email')).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await prove(data.uniqid, code === '000000' ? '000001' : '000000')).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await reset(data.uniqid)).toMatchObject({ code: 200 })
    expect(await prove(data.uniqid, code)).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await reset(data.uniqid, 'Again2026')).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('answers a reset again whose answer was lost, and ends no session of its new password', async () => {
    const { username, accountId, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    expect(await reset(data.uniqid)).toMatchObject({ code: 200 })
    await signIn(username, { password: 'Changed26' })
    expect(await reset(data.uniqid)).toMatchObject({ code: 200, trips: 1 })
    expect(await openSessions(accountId)).toHaveLength(1)
    expect(await reset(data.uniqid, 'Again2026')).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('answers a right code twice at once, and opens no other recovery of the name with it', async () => {
    const { username, to } = await createRecoverable()
    const [own, other] = [(await openRecovery(username)).data.uniqid, (await openRecovery(username)).data.uniqid]
    await sendRecoveryCode(own)
    const code = (await lastCode(to))!
    const failures = () => db.all(sql`select key, count from attempts where key like 'recovery:%' order by key`)
    const before = await failures()
    const answers = await Promise.all([prove(own, code), prove(own, code), prove(own, code)])
    expect(answers.map((answer) => answer.code)).toEqual([200, 200, 200])
    expect(await failures()).toEqual(before)
    expect(await prove(other, code)).toMatchObject(refusal('CODE_WRONG'))
    expect(await reset(other)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('answers a right code no longer than it is valid', async () => {
    const { username, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    const code = (await lastCode(to))!
    await prove(data.uniqid, code)
    await db
      .update(codes)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(codes.owner, data.uniqid))
    expect(await prove(data.uniqid, code)).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await reset(data.uniqid)).toMatchObject({ code: 200 })
  })

  it('cannot be started for one account and finished for another', async () => {
    const [mine, theirs] = [await createRecoverable(), await createRecoverable()]
    const [a, b] = [(await openRecovery(mine.username)).data.uniqid, (await openRecovery(theirs.username)).data.uniqid]
    await sendRecoveryCode(a)
    expect(await prove(b, (await lastCode(mine.to))!)).toMatchObject(refusal('CODE_WRONG'))
    expect(await reset(b)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('expires, and is refused for an unknown id', async () => {
    const { username } = await createRecoverable()
    const { data } = await openRecovery(username)
    await db
      .update(recoveries)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(recoveries.uniqid, data.uniqid))
    for (const uniqid of [data.uniqid, 'made-up']) {
      expect(await sendRecoveryCode(uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
      expect(await prove(uniqid, '123456')).toMatchObject(refusal('RECOVERY_STEP'))
      expect(await reset(uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    }
  })

  it('sets one password when two resets race', async () => {
    const { username, to } = await createRecoverable()
    const { data } = await openRecovery(username)
    await sendRecoveryCode(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    const answers = await Promise.all([reset(data.uniqid, 'First2026'), reset(data.uniqid, 'Second26')])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, refusal('RECOVERY_STEP').code])
  })

  it('takes the captcha, and only one of its purpose', async () => {
    const { username } = await createRecoverable()
    const captcha = await createCaptcha('login')
    const input = { username, img_code: captcha.code, uniqid: captcha.uniqid }
    expect(await call(verifyApi.findPassword, input)).toMatchObject(refusal('IMG_CODE_WRONG'))
    expect(await db.select().from(recoveries).where(eq(recoveries.uniqid, captcha.uniqid))).toEqual([])
  })
})

describe('account 2 · a recovery belongs to who opened it', () => {
  it('a stranger’s five wrong tries, and a newer code of his own, kill nobody’s code', async () => {
    const { username, to } = await createRecoverable()
    const [mine, theirs] = [(await openRecovery(username)).data.uniqid, (await openRecovery(username)).data.uniqid]
    await sendRecoveryCode(mine)
    const code = (await lastCode(to))!
    const wrong = code === '000000' ? '111111' : '000000'
    for (let i = 0; i < OTP.tries; i++) expect((await prove(theirs, wrong)).code).toBe(422)
    await age(60_000)
    expect((await sendRecoveryCode(theirs)).code).toBe(200)
    for (let i = 0; i < OTP.tries; i++) expect((await prove(theirs, wrong)).code).toBe(422)
    expect(await prove(theirs, code)).toMatchObject(refusal('CODE_WRONG'))
    expect(await prove(mine, code)).toMatchObject({ code: 200 })
  })

  it('registrations and other codes for the same phone never count against it', async () => {
    const { username, to } = await createRecoverable()
    for (const purpose of ['register', 'verify_phone', 'app_change_phone'])
      for (let i = 0; i < OTP_LIMITS.target.max; i++)
        await db.insert(codes).values({ purpose, target: to, answer: 'x', ip: 'x', sentAt: Date.now(), expiresAt: 0 })
    expect(await sendRecoveryCode((await openRecovery(username)).data.uniqid)).toMatchObject({ code: 200 })
    expect(await lastCode(to)).toMatch(/^\d{6}$/)
  })

  it('goes on by e-mail when the phone is spent, and from another address when one has spent its share', async () => {
    const { username, accountId } = await createRecoverable()
    const { uniqid } = (await openRecovery(username)).data
    const ip = nextAddress()
    const ask = (send_type: 'phone' | 'email', from: string) =>
      call(verifyApi.findPasswordCode, { uniqid, send_type }, { ip: from })
    for (let i = 0; i < OTP_LIMITS.share.max; i++) {
      expect((await ask('phone', ip)).code).toBe(200)
      await age(60_000)
    }
    expect(await ask('phone', ip)).toMatchObject(refusal('CODE_DAILY'))
    for (let i = OTP_LIMITS.share.max; i < OTP_LIMITS.target.max; i++) {
      expect((await ask('phone', nextAddress())).code).toBe(200)
      await age(60_000)
    }
    expect(await ask('phone', nextAddress())).toMatchObject(refusal('CODE_DAILY'))
    expect(await ask('email', ip)).toMatchObject({ code: 200 })
    const code = (await lastCode((await selectEmail(accountId))!))!
    expect(await prove(uniqid, code, 'email')).toMatchObject({ code: 200 })
  })
})

const selectEmail = async (accountId: number) => {
  const [row] = await db.all<[string]>(sql`select email from accounts where id = ${accountId}`)
  return row?.[0]
}

/** Makes every code this much older. */
const age = (ms: number) => db.update(codes).set({ sentAt: sql`${codes.sentAt} - ${ms}` })
