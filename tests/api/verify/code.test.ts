import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { OTP, OTP_LIMITS } from '../../../worker/contract/limits.ts'
import type { Input } from '../../../worker/contract/endpoint.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { codes, outbox } from '../../../worker/db/schema/accounts.ts'
import { createOutside } from '../../../worker/outside/adapters.ts'
import { createCaptcha, nextAddress, lastCode } from '../../support/identity.ts'
import { createMainAccount, createSubAccount, unique } from '../../support/fixtures.ts'
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
    ['+852 6123', '请输入正确的手机号码'],
    ['+852 612345678', '请输入正确的手机号码'],
    ['+999 61234567', '请选择国家或地区'],
    ['+881 61234567', '请选择国家或地区'],
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
    const change = { ...to(phone), verify_type: 'app_change_phone', code } as const
    expect(await mine.call(verifyApi.verify, change)).toMatchObject(wrong)
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

  it('a right look costs no try', async () => {
    const { call: ask } = await createMainAccount()
    const phone = createPhone()
    await ask(verifyApi.sendCode, to(phone))
    const code = (await lastCode(phone))!
    const wrong = code === '000000' ? '111111' : '000000'
    for (let i = 0; i < OTP.tries - 1; i++)
      expect((await ask(verifyApi.verify, { ...to(phone), code: wrong })).code).toBe(422)
    for (let i = 0; i < OTP.tries + 2; i++) expect((await ask(verifyApi.verify, { ...to(phone), code })).code).toBe(200)
  })

  it('stops at thirty a day for a person and purpose, whatever the targets', async () => {
    const { accountId, call: ask } = await createMainAccount()
    const row = { purpose: 'verify_phone', accountId, answer: 'x', ip: nextAddress(), expiresAt: 0 }
    for (let i = 0; i < OTP_LIMITS.main.max; i++) {
      const sentAt = Date.now() - 3_600_000
      await db.insert(codes).values({ ...row, target: unique('fill'), sender: `main:${accountId}`, sentAt })
    }
    expect(await ask(verifyApi.sendCode, to(createPhone()))).toMatchObject(refusal('CODE_DAILY'))
    const other = { ...to(createPhone()), verify_type: 'app_change_phone' } as const
    expect(await ask(verifyApi.sendCode, other)).toMatchObject({ code: 200 })
  })

  it('nobody of another account spends the codes of a phone, nor its 59 seconds', async () => {
    const phone = createPhone()
    for (const stranger of [await createMainAccount(), await createMainAccount()])
      for (let i = 0; i < OTP_LIMITS.share.max; i++) {
        await age(phone, 60_000)
        expect((await stranger.call(verifyApi.sendCode, to(phone))).code).toBe(200)
      }
    const { call: ask } = await createMainAccount()
    expect(await ask(verifyApi.sendCode, to(phone))).toMatchObject({ code: 200 })
    expect(await ask(verifyApi.sendCode, to(phone))).toMatchObject(soon)
  })

  it('sub-accounts together send ten a day to one phone, and leave the main account its own', async () => {
    const main = await createMainAccount()
    const phone = createPhone()
    const change = { ...to(phone), verify_type: 'app_change_phone' } as const
    const createSub = () => createSubAccount(main, { flags: ['router:edit'] })
    for (const sub of [await createSub(), await createSub()])
      for (let i = 0; i < OTP_LIMITS.share.max; i++) {
        expect((await sub.call(verifyApi.sendCode, change)).code).toBe(200)
        await age(phone, 60_000)
      }
    expect(await (await createSub()).call(verifyApi.sendCode, change)).toMatchObject(refusal('CODE_DAILY'))
    expect(await main.call(verifyApi.sendCode, change)).toMatchObject({ code: 200 })
  })

  it('a sub-account spends its own codes and nobody else’s, and its code is its own', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main, { flags: ['router:edit'], networks: ['n1'] })
    const change = (phone: string) => ({ ...to(phone), verify_type: 'app_change_phone' }) as const
    const phones = Array.from({ length: OTP_LIMITS.ram.max }, createPhone)
    for (const phone of phones) expect((await sub.call(verifyApi.sendCode, change(phone))).code).toBe(200)
    expect(await sub.call(verifyApi.sendCode, change(createPhone()))).toMatchObject(refusal('CODE_DAILY'))
    expect(await main.call(verifyApi.sendCode, change(createPhone()))).toMatchObject({ code: 200 })
    const code = (await lastCode(phones[0]!))!
    expect(await main.call(verifyApi.verify, { ...change(phones[0]!), code })).toMatchObject(refusal('CODE_WRONG'))
    expect(await sub.call(verifyApi.verify, { ...change(phones[0]!), code })).toMatchObject({ code: 200 })
  })

  it.each([
    ['verify_phone', 'phone', [], false],
    ['verify_email', 'email', [], false],
    ['verify_phone', 'phone', ['router:create', 'router:edit'], false],
    ['app_change_phone', 'phone', [], false],
    ['app_change_phone', 'phone', ['router:delete', 'network:edit'], false],
    ['app_change_phone', 'phone', ['router:create'], true],
    ['app_change_phone', 'phone', ['router:edit'], true],
  ] as const)('%s of a sub-account by %s with %j: %s', async (verify_type, send_type, flags, isAllowed) => {
    const sub = await createSubAccount(await createMainAccount(), { flags })
    const send_value = send_type === 'phone' ? createPhone() : `${unique()}@example.com`
    const input = { send_type, send_value, verify_type } as Input<typeof verifyApi.sendCode>
    const answers = [
      await sub.call(verifyApi.sendCode, input),
      await sub.call(verifyApi.verify, { ...input, code: '000000' }),
    ]
    expect(answers.map(({ reason }) => reason === 'PERMISSION_DENIED')).toEqual([!isAllowed, !isAllowed])
    expect((await lastCode(send_value)) !== undefined).toBe(isAllowed)
  })

  it.each([
    ['email', 'verify_phone'],
    ['email', 'app_change_phone'],
    ['phone', 'verify_email'],
  ])('no %s for %s', async (send_type, verify_type) => {
    const { call: ask } = await createMainAccount()
    const send_value = send_type === 'phone' ? createPhone() : 'a@example.com'
    const answer = await ask(verifyApi.sendCode, { send_type, send_value, verify_type } as never)
    expect(answer).toMatchObject({ code: 422, data: { field: 'verify_type' } })
  })

  it('needs a session', async () => {
    expect(await call(verifyApi.sendCode, to(createPhone()))).toMatchObject(refusal('TOKEN_BAD'))
  })
})
