import { eq } from 'drizzle-orm'
import { describe, expect, it, beforeEach, vi } from 'vitest'
import { verifyApi } from '#contract/verify/index.ts'
import { OTP, OTP_LIMITS } from '#contract/verify/limits.ts'
import { codes, outbox } from '#db/schema/accounts.ts'
import { createOutside } from '#outside/adapters.ts'
import { createCaptcha, nextAddress, lastCode } from '#tests/support/identity.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, refusal } from '#tests/support/test-worker.ts'
import { age, createPhone, tooSoon } from '#tests/support/otp.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // replies carry waits in seconds

describe('account 7 · verify/register', () => {
  const send = async (to: string, over: { ip?: string; captcha?: { uniqid: string; code: string } } = {}) => {
    const { uniqid, code } = over.captcha ?? (await createCaptcha('register'))
    return call(
      verifyApi.register,
      { send_type: to.includes('@') ? 'email' : 'phone', send_value: to, img_code: code, uniqid } as never,
      { ip: over.ip ?? nextAddress() },
    )
  }

  it('sends six digits by SMS or mail and keeps only their HMAC, in one round trip', async () => {
    for (const to of [createPhone(), `${unique()}@example.com`]) {
      expect(await send(to)).toMatchObject({ code: 200, msg: '发送成功', data: null, trips: 1 })
      const [row] = await db.select().from(codes).where(eq(codes.target, to))
      expect(await lastCode(to)).toMatch(/^\d{6}$/)
      expect(row!.answer).toMatch(/^[\w-]{43}$/)
    }
  })

  it('consumes the captcha in any case', async () => {
    const captcha = await createCaptcha('register')
    const to = createPhone()
    expect(await send(to, { captcha: { ...captcha, code: '0000' } })).toMatchObject(refusal('IMG_CODE_WRONG'))
    expect(await send(to, { captcha })).toMatchObject({ ...refusal('IMG_CODE_WRONG'), data: { field: 'img_code' } })
    expect(await lastCode(to)).toBeUndefined()
  })

  it('allows one code in 59 seconds, with retry_after', async () => {
    const to = createPhone()
    await send(to)
    const answer = await send(to)
    expect(answer).toMatchObject(tooSoon)
    expect((answer.data as unknown as { retry_after: number }).retry_after).toBe(OTP.resendSeconds)
    await age(to, OTP.resendSeconds * 1000)
    expect(await send(to)).toMatchObject({ code: 200 })
  })

  it('sends one code for ten requests at once', async () => {
    const to = createPhone()
    const captchas = await Promise.all(Array.from({ length: 10 }, () => createCaptcha('register')))
    const answers = await Promise.all(captchas.map((captcha) => send(to, { captcha })))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await db.select().from(outbox).where(eq(outbox.recipient, to))).toHaveLength(1)
  })

  it('stops at ten a day for a target, and starts again the day after', async () => {
    const to = createPhone()
    for (let i = 0; i < OTP_LIMITS.target.max; i++) {
      expect((await send(to)).code).toBe(200)
      await age(to, 60_000)
    }
    expect(await send(to)).toMatchObject({ status: 429, ...refusal('CODE_DAILY') })
    await age(to, 86_400_000)
    expect(await send(to)).toMatchObject({ code: 200 })
  })

  it.each(['198.51.100.7', '2001:db8:77:1::1'])('keeps half of a target’s day from one sender: %s', async (ip) => {
    const to = createPhone()
    for (let i = 0; i < OTP_LIMITS.share.max; i++) {
      expect((await send(to, { ip })).code).toBe(200)
      await age(to, 60_000)
    }
    expect(await send(to, { ip: ip.replace(':1::', ':2::') })).toMatchObject(refusal('CODE_DAILY'))
    expect(await send(to)).toMatchObject({ code: 200 })
  })

  it('stops at thirty an hour for an address, and at sixty for a /48', async () => {
    const sentAt = Date.now() - 600_000
    const fill = async (n: number, ip: string, sender: string) => {
      const row = { purpose: 'register', answer: 'x', ip, sender, sentAt, expiresAt: 0 }
      for (let i = 0; i < n; i++) await db.insert(codes).values({ ...row, target: unique('fill') })
    }
    await fill(OTP_LIMITS.address.max, '203.0.113.9', '203.0.113.9')
    await fill(OTP_LIMITS.wideBlock.max, '2001:db8:5:1::/64', '2001:db8:5::/48')
    const busy = { status: 429, ...refusal('CODE_ADDRESS', { minutes: 50 }), data: { retry_after: expect.any(Number) } }
    for (const ip of ['203.0.113.9', '2001:db8:5:2::1']) expect(await send(createPhone(), { ip })).toMatchObject(busy)
    expect(await send(createPhone(), { ip: '2001:db8:6:2::1' })).toMatchObject({ code: 200 })
    await db
      .update(codes)
      .set({ sentAt: sentAt - 3_600_000 })
      .where(eq(codes.ip, '203.0.113.9'))
    expect(await send(createPhone(), { ip: '203.0.113.9' })).toMatchObject({ code: 200 })
  })

  it('does not count the codes that customers behind the address ask for', async () => {
    const ip = nextAddress()
    const { accountId } = await createMainAccount()
    const row = { purpose: 'verify_phone', answer: 'x', ip, accountId, sender: `main:${accountId}`, expiresAt: 0 }
    for (let i = 0; i < OTP_LIMITS.address.max; i++)
      await db.insert(codes).values({ ...row, target: unique('fill'), sentAt: Date.now() - 100_000 })
    expect(await send(createPhone(), { ip })).toMatchObject({ code: 200 })
  })

  it.each(['198.51.100.90', '2001:db8:90:1::1'])('leaves recovery from %s its own codes', async (ip) => {
    const sender = ip.includes(':') ? '2001:db8:90::/48' : ip
    const row = { purpose: 'register', answer: 'x', ip: ip.replace('1::1', '1::/64'), sender, expiresAt: 0 }
    for (let i = 0; i < OTP_LIMITS.wideBlock.max; i++)
      await db.insert(codes).values({ ...row, target: unique('fill'), sentAt: Date.now() - 100_000 })
    expect(await send(createPhone(), { ip })).toMatchObject(refusal('CODE_ADDRESS', { minutes: 59 }))
    const phone = createPhone()
    const { username } = await createMainAccount({ phone: phone.slice(4) })
    const { uniqid, code: img_code } = await createCaptcha('find_password')
    const found = await call(verifyApi.findPassword, { username, img_code, uniqid }, { ip })
    const input = { uniqid: found.data.uniqid, send_type: 'phone' } as const
    expect(await call(verifyApi.findPasswordCode, input, { ip })).toMatchObject({ code: 200 })
    expect(await lastCode(phone)).toMatch(/^\d{6}$/)
  })

  it('answers that sending failed, and allows an immediate retry', async () => {
    const to = createPhone()
    const broken = createTestWorker({
      outside: (env) => ({
        ...createOutside(env),
        sms: { ...createOutside(env).sms, sendCode: () => Promise.reject(new Error('refused')) },
      }),
    })
    const { uniqid, code } = await createCaptcha('register')
    const input = { send_type: 'phone', send_value: to, img_code: code, uniqid } as const
    const answer = await broken.call(verifyApi.register, input, { ip: nextAddress() })
    expect(answer).toMatchObject({ ...refusal('SEND_FAILED'), trips: 2 })
    expect(await send(to)).toMatchObject({ code: 200 })
  })

  it('refuses sending where no provider is configured', async () => {
    const deployed = createTestWorker({ env: { ENVIRONMENT: 'production' } })
    const { uniqid, code } = await createCaptcha('register')
    const input = { send_type: 'email', send_value: 'a@example.com', img_code: code, uniqid } as const
    expect(await deployed.call(verifyApi.register, input, { ip: nextAddress() })).toMatchObject(refusal('SEND_FAILED'))
  })

  it.each([
    ['', '手机号码不能为空'],
    ['+86 12012345678', '请输入正确的手机号码'],
    ['+852 123', '请输入最低4位数的手机号码'],
    ['+852 6123', '请输入正确的手机号码'],
    ['+852 612345678', '请输入正确的手机号码'],
    ['+999 61234567', '请选择国家或地区'],
    ['+881 61234567', '请选择国家或地区'],
    ['not@mail', '请输入正确的邮箱'],
  ])('refuses the target %j', async (to, msg) => {
    expect(await send(to)).toMatchObject({ code: 422, msg, data: { field: 'send_value' } })
  })
})
