import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { OTP, OTP_LIMITS } from '#contract/verify/limits.ts'
import { codes } from '#db/schema/accounts.ts'
import { nextAddress, lastCode } from '#tests/support/identity.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

import { age, createPhone, tooSoon } from '#tests/support/otp.ts'

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
    expect(await ask(verifyApi.sendCode, to(phone))).toMatchObject(tooSoon)
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
