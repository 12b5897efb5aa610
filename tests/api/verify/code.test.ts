import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { OTP, OTP_DAILY } from '../../../worker/contract/limits.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { codes, outbox } from '../../../worker/db/schema/accounts.ts'
import { createOutside } from '../../../worker/outside/adapters.ts'
import { createCaptcha, nextAddress, lastCode } from '../../support/identity.ts'
import { createMainAccount, unique } from '../../support/fixtures.ts'
import { createTestWorker, call, db, refusal } from '../../support/test-worker.ts'

let last = 0
const createPhone = () => `+86 188${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`

/** Makes every code that went there this much older. */
const age = (target: string, ms: number) =>
  db
    .update(codes)
    .set({ sentAt: sql`${codes.sentAt} - ${ms}`, expiresAt: sql`${codes.expiresAt} - ${ms}` })
    .where(eq(codes.target, target))

const soon = { code: 429, status: 429, msg: expect.stringMatching(/^验证码已发送，请\d+秒后重试$/) }

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
    expect(answer).toMatchObject(soon)
    expect((answer.data as unknown as { retry_after: number }).retry_after).toBeGreaterThan(50)
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
    for (let i = 0; i < OTP_DAILY.target; i++) {
      expect((await send(to)).code).toBe(200)
      await age(to, 60_000)
    }
    expect(await send(to)).toMatchObject({ status: 429, ...refusal('CODE_DAILY') })
    await age(to, 86_400_000)
    expect(await send(to)).toMatchObject({ code: 200 })
  })

  it('stops at sixty a day for an address', async () => {
    const ip = nextAddress()
    const row = { purpose: 'register', answer: 'x', ip, sentAt: Date.now() - 3_600_000, expiresAt: 0 }
    for (let i = 0; i < OTP_DAILY.address; i++) await db.insert(codes).values({ ...row, target: `fill-${i}` })
    expect(await send(createPhone(), { ip })).toMatchObject(refusal('CODE_DAILY'))
  })

  it('answers that sending failed, and allows an immediate retry', async () => {
    const to = createPhone()
    const broken = createTestWorker({
      outside: (env) => ({ ...createOutside(env), sms: { sendCode: () => Promise.reject(new Error('refused')) } }),
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
    ['not@mail', '请输入正确的邮箱'],
  ])('refuses the target %j', async (to, msg) => {
    expect(await send(to)).toMatchObject({ code: 422, msg, data: { field: 'send_value' } })
  })
})

describe('account 7 · verify/send_code and verify/verify', () => {
  const to = (phone: string) => ({ send_type: 'phone', send_value: phone, verify_type: 'verify_phone' }) as const

  it('checks a code without using it up', async () => {
    const { call: ask } = await createMainAccount()
    const phone = createPhone()
    expect(await ask(verifyApi.sendCode, to(phone))).toMatchObject({ code: 200, msg: '发送成功', trips: 1 })
    const code = (await lastCode(phone))!
    for (let i = 0; i < 2; i++)
      expect(await ask(verifyApi.verify, { ...to(phone), code })).toMatchObject({ code: 200, trips: 1 })
  })

  it('is bound to account, purpose and target', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const phone = createPhone()
    await mine.call(verifyApi.sendCode, to(phone))
    const code = (await lastCode(phone))!
    const wrong = refusal('CODE_WRONG')
    expect(await other.call(verifyApi.verify, { ...to(phone), code })).toMatchObject(wrong)
    expect(await mine.call(verifyApi.verify, { ...to(phone), verify_type: 'app_change_phone', code })).toMatchObject(
      wrong,
    )
    expect(await mine.call(verifyApi.verify, { ...to(createPhone()), code })).toMatchObject(wrong)
    expect(await mine.call(verifyApi.verify, { ...to(phone), code })).toMatchObject({ code: 200 })
  })

  it('counts at most five parallel attempts; then the right code is void too', async () => {
    const { call: ask } = await createMainAccount()
    const phone = createPhone()
    await ask(verifyApi.sendCode, to(phone))
    const code = (await lastCode(phone))!
    const wrong = code === '000000' ? '111111' : '000000'
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(verifyApi.verify, { ...to(phone), code: wrong })),
    )
    expect(answers.every((answer) => answer.code === 422)).toBe(true)
    expect(answers.filter(({ msg }) => msg === refusal('CODE_SPENT').msg)).toHaveLength(1)
    const [row] = await db.select().from(codes).where(eq(codes.target, phone))
    expect(row!.tries).toBe(OTP.tries)
    expect(await ask(verifyApi.verify, { ...to(phone), code })).toMatchObject(refusal('CODE_WRONG'))
  })

  it('is void when it is too old, and when a newer one was sent', async () => {
    const { call: ask } = await createMainAccount()
    const phone = createPhone()
    await ask(verifyApi.sendCode, to(phone))
    const first = (await lastCode(phone))!
    await age(phone, OTP.minutes * 60_000)
    expect(await ask(verifyApi.verify, { ...to(phone), code: first })).toMatchObject(refusal('CODE_WRONG'))
    await ask(verifyApi.sendCode, to(phone))
    await db
      .update(codes)
      .set({ expiresAt: Date.now() + 60_000 })
      .where(and(eq(codes.target, phone)))
    const second = (await lastCode(phone))!
    expect(await ask(verifyApi.verify, { ...to(phone), code: second })).toMatchObject({ code: 200 })
    const older = first === second ? 'XXXXXX' : first // one time in a million both codes are alike
    expect((await ask(verifyApi.verify, { ...to(phone), code: older })).code).toBe(422)
  })

  it('stops at thirty a day for an account, whatever the targets', async () => {
    const main = await createMainAccount()
    const row = { purpose: 'verify_phone', accountId: main.accountId, answer: 'x', ip: nextAddress(), expiresAt: 0 }
    for (let i = 0; i < OTP_DAILY.account; i++) {
      await db.insert(codes).values({ ...row, target: `fill-${i}`, sentAt: Date.now() - 3_600_000 })
    }
    expect(await main.call(verifyApi.sendCode, to(createPhone()))).toMatchObject(refusal('CODE_DAILY'))
  })

  it('needs a session', async () => {
    expect(await call(verifyApi.sendCode, to(createPhone()))).toMatchObject(refusal('TOKEN_BAD'))
  })
})
