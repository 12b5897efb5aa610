import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { REGISTER_TRIES } from '#contract/account/limits.ts'
import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { OTP } from '#contract/verify/limits.ts'
import { accounts, codes } from '#db/schema/accounts.ts'
import { loginApi } from '#contract/login/index.ts'
import { createCaptcha, nextAddress, readCookie, selectAudit, lastCode, signIn } from '#tests/support/identity.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { call, db, refusal, hashes, request } from '#tests/support/test-worker.ts'
import { COST } from '#tests/support/password-cost.ts'

let last = 0
const createPhone = () => `166${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`

/** The code that went there, and the captcha that it belongs to. */
async function createCode(target: string) {
  const { uniqid, code } = await createCaptcha('register')
  const send_type = target.includes('@') ? 'email' : 'phone'
  await call(verifyApi.register, { send_type, send_value: target, img_code: code, uniqid } as never, {
    ip: nextAddress(),
  })
  return { code: (await lastCode(target))!, uniqid }
}

const form = (over: object): Input<typeof accountApi.register> =>
  ({
    nickname: '张三',
    username: unique('new'),
    password: 'Secret26',
    newPassword: 'Secret26',
    uniqid: 'none',
    type: 'phone',
    ...over,
  }) as never

describe('account 7 · account/register', () => {
  it('opens an account by phone that can sign in at once, in two round trips', async () => {
    const phone = createPhone()
    const input = form({ verify: `+86 ${phone}`, ...(await createCode(`+86 ${phone}`)) })
    const answer = await call(accountApi.register, input)
    expect(answer).toMatchObject({ code: 200, msg: '注册成功', trips: 2, data: { user: { nickname: '张三', ram: 0 } } })
    const { data: own } = await call(accountApi.info, {}, { token: answer.data.access_token })
    expect(own.username).toBe(input.username)
    const renewed = await call(loginApi.refresh, {}, { cookie: readCookie(answer) })
    expect(renewed).toMatchObject({ code: 200, data: { user: { username: input.username } } })
    const [row] = await db.select().from(accounts).where(eq(accounts.username, input.username))
    expect(row).toMatchObject({ areaCode: '86', phone, email: null, ramDomain: input.username, sign: null, status: 1 })
    expect(row!.password).toMatch(`scrypt$${COST.N}$${COST.r}$${COST.p}$`)
    expect(await signIn(phone, { password: 'Secret26' })).toMatchObject({
      code: 200,
      data: { user: { nickname: '张三' } },
    })
    expect((await selectAudit(row!.id)).map(({ action }) => action)).toEqual([
      'sign_in',
      'sign_in',
      'trial',
      'register',
    ])
  })

  it.each([
    ['http://localhost', { seats: 3, days: 14 }, 3],
    ['http://xingqiao.localhost', null, 0],
  ])('gives the trial seats of the host: %s', async (origin, trial, seats) => {
    const phone = createPhone()
    const input = form({ verify: phone, ...(await createCode(`+86 ${phone}`)) })
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }
    const answer = await request(`${origin}/api/v1/account/register`, sent)
    const reply = await answer.json<{ data: Output<typeof accountApi.register> }>()
    expect(reply).toMatchObject({ code: 200 })
    const { data } = reply
    expect(data.trial).toEqual(trial)
    const { data: overview } = await call(overviewApi.info, {}, { token: data.access_token })
    expect(overview.attention.count).toBe(0) // a trial does not begin with the reminder of its end
    const { data: quota } = await call(networkApi.config, {}, { token: data.access_token })
    expect(quota.network_router_count).toBe(seats)
    const { data: services } = await call(accountApi.service, {}, { token: data.access_token })
    const shown = services.map(({ service_name, quantity, days_left }) => ({ service_name, quantity, days_left }))
    expect(shown).toEqual(seats === 0 ? [] : [{ service_name: '试用席位', quantity: 3, days_left: 14 }])
  })

  it('ends the session that the browser had before', async () => {
    const before = await createMainAccount()
    const phone = createPhone()
    const input = form({ verify: phone, ...(await createCode(`+86 ${phone}`)) })
    expect(await call(accountApi.register, input, { token: before.token })).toMatchObject({ code: 200, trips: 2 })
    expect(await before.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('a place that is known from the registration is no new one', async () => {
    const phone = createPhone()
    const input = form({ verify: phone, ...(await createCode(`+86 ${phone}`)) })
    const ip = nextAddress()
    const { data } = await call(accountApi.register, input, { ip })
    await signIn(input.username, { password: 'Secret26' }, { ip })
    expect((await call(accountApi.info, {}, { token: data.access_token })).data.message_count).toBe(0)
  })

  it('opens one by e-mail, whatever its case', async () => {
    const email = `${unique('New')}@Example.com`
    const input = form({ type: 'email', verify: email, ...(await createCode(email)) })
    expect(await call(accountApi.register, input)).toMatchObject({ code: 200 })
    const [row] = await db.select().from(accounts).where(eq(accounts.username, input.username))
    expect(row).toMatchObject({ email: email.toLowerCase(), phone: null })
    expect(await signIn(email, { password: 'Secret26' })).toMatchObject({ code: 200 })
  })

  it('hashes nothing for what is taken, common or personal', async () => {
    const [phone, other] = [createPhone(), createPhone()]
    const first = form({ verify: `+86 ${phone}`, ...(await createCode(`+86 ${phone}`)) })
    await call(accountApi.register, first)
    const to = { verify: `+86 ${other}`, ...(await createCode(`+86 ${other}`)) }
    const before = hashes.length
    for (const [over, key, field] of [
      [{ username: first.username.toUpperCase() }, 'USERNAME_TAKEN', 'username'],
      [{ password: 'woaini1314', newPassword: 'woaini1314' }, 'PASSWORD_COMMON', 'password'],
      [{ password: other, newPassword: other }, 'PASSWORD_PERSONAL', 'password'],
      [{ username: 'Qiming2026', password: 'qiming2026', newPassword: 'qiming2026' }, 'PASSWORD_PERSONAL', 'password'],
    ] as const)
      expect(await call(accountApi.register, form({ ...to, ...over }))).toMatchObject({
        ...refusal(key),
        data: { field },
      })
    expect(hashes).toHaveLength(before)
  })

  it('takes a number of another country', async () => {
    const target = `+852 6${String(Date.now()).slice(-7)}`
    expect(await call(accountApi.register, form({ verify: target, ...(await createCode(target)) }))).toMatchObject({
      code: 200,
    })
  })

  it('keeps the code when the name is taken, so that another can be typed', async () => {
    const taken = await createMainAccount()
    const phone = createPhone()
    const sent = await createCode(`+86 ${phone}`)
    const input = form({ verify: phone, ...sent, username: taken.username })
    expect(await call(accountApi.register, input)).toMatchObject({
      ...refusal('USERNAME_TAKEN'),
      data: { field: 'username' },
      trips: 1, // before the password is hashed
    })
    for (let i = 0; i < OTP.tries; i++) expect((await call(accountApi.register, input)).code).toBe(422)
    expect(await call(accountApi.register, { ...input, username: unique('new') })).toMatchObject({ code: 200 })
  })

  it('refuses a phone or e-mail that has an account, on its field', async () => {
    const phone = createPhone()
    const email = `${unique('own')}@example.com`
    await createMainAccount({ phone, email })
    const byPhone = form({ verify: phone, ...(await createCode(`+86 ${phone}`)) })
    expect(await call(accountApi.register, byPhone)).toMatchObject({
      ...refusal('PHONE_TAKEN'),
      data: { field: 'verify' },
    })
    const byEmail = form({ type: 'email', verify: email, ...(await createCode(email)) })
    expect(await call(accountApi.register, byEmail)).toMatchObject({
      ...refusal('EMAIL_TAKEN'),
      data: { field: 'verify' },
    })
  })

  it('does not reveal taken names without a code', async () => {
    const { username } = await createMainAccount()
    for (const name of [username, unique('free')]) {
      const answer = await call(accountApi.register, form({ verify: createPhone(), code: '123456', username: name }))
      expect(answer).toMatchObject({ ...refusal('CODE_WRONG'), trips: 1 })
    }
  })

  it('refuses the code of another target, and a used one', async () => {
    const [mine, other] = [createPhone(), createPhone()]
    const sent = await createCode(`+86 ${mine}`)
    expect(await call(accountApi.register, form({ verify: other, ...sent }))).toMatchObject(refusal('CODE_WRONG'))
    expect(await call(accountApi.register, form({ verify: mine, ...sent }))).toMatchObject({ code: 200 })
    expect(await call(accountApi.register, form({ verify: mine, ...sent }))).toMatchObject(refusal('CODE_WRONG'))
  })

  it('a stranger’s wrong tries, without the captcha or with one of his own, kill nobody’s code', async () => {
    const phone = createPhone()
    const sent = await createCode(`+86 ${phone}`)
    const code = sent.code === '000000' ? '111111' : '000000'
    const own = await createCaptcha('register')
    for (const uniqid of ['none', own.uniqid])
      for (let i = 0; i < OTP.tries; i++) {
        const answer = await call(accountApi.register, form({ verify: phone, code, uniqid }))
        expect(answer).toMatchObject(refusal('CODE_WRONG'))
      }
    expect(await call(accountApi.register, form({ verify: phone, code: sent.code }))).toMatchObject(
      refusal('CODE_WRONG'),
    )
    expect(await call(accountApi.register, form({ verify: phone, ...sent }))).toMatchObject({ code: 200 })
  })

  it('ends at twenty names for one code, so that it lists no customers', async () => {
    const { username } = await createMainAccount()
    const phone = createPhone()
    const input = form({ verify: phone, ...(await createCode(`+86 ${phone}`)), username })
    for (let i = 0; i < REGISTER_TRIES; i++)
      expect(await call(accountApi.register, input)).toMatchObject(refusal('USERNAME_TAKEN'))
    expect(await call(accountApi.register, input)).toMatchObject(refusal('CODE_SPENT'))
  })

  it('takes a phone as user name only where it is the own number', async () => {
    const [mine, other] = [createPhone(), createPhone()]
    const sent = await createCode(`+86 ${mine}`)
    for (const username of [other, `86${other}`, `0086${other}`, '0085261234567']) {
      const answer = await call(accountApi.register, form({ verify: mine, ...sent, username }))
      expect(answer).toMatchObject({
        code: 422,
        msg: '用户名不能使用他人的手机号码，请更换',
        data: { field: 'username' },
      })
    }
    expect(await call(accountApi.register, form({ verify: `+86 ${mine}`, ...sent, username: mine }))).toMatchObject({
      code: 200,
    })
    const email = `${unique()}@example.com`
    const byEmail = form({ type: 'email', verify: email, ...(await createCode(email)), username: other })
    expect(await call(accountApi.register, byEmail)).toMatchObject({ code: 422, data: { field: 'username' } })
    const created = { username: other, nickname: '测试', password: 'Secret26', phone: null, email }
    expect(await call(opsApi.createAccount, created)).toMatchObject({ code: 422, data: { field: 'username' } })
  })

  it('opens one account for five requests at once', async () => {
    const phone = createPhone()
    const sent = await createCode(`+86 ${phone}`)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(accountApi.register, form({ verify: phone, ...sent }))),
    )
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect(answers.every((answer) => answer.code === 200 || answer.code === 422)).toBe(true)
    const [row] = await db
      .select()
      .from(codes)
      .where(eq(codes.target, `+86 ${phone}`))
    expect(row!.usedAt).not.toBeNull()
  })

  it.each([
    ['nickname', { nickname: '' }, '昵称不能为空'],
    ['nickname', { nickname: '一' }, '昵称长度2-12字符，由中文,英文,数字组成'],
    ['nickname', { nickname: 'a_b' }, '昵称不能包含特殊字符'],
    ['username', { username: 'ab1' }, '用户名长度6-18位，由数字和字母组成。用于登陆使用'],
    ['username', { username: '用户名一二三' }, '用户名不能包含特殊字符和中文'],
    ['password', { password: '12345', newPassword: '12345' }, '密码长度6-18位'],
    ['newPassword', { newPassword: 'other26' }, '2次密码输入不一致'],
    ['code', { code: '12345' }, '验证码长度必须为6位'],
    ['verify', { verify: '12012345678' }, '请输入正确的手机号码'],
    ['verify', { type: 'email', verify: 'a@b' }, '请输入正确的邮箱'],
  ])('names the field %s of %j', async (field, over, msg) => {
    const input = form({ verify: '13800138000', code: '123456', ...over })
    expect(await call(accountApi.register, input)).toMatchObject({ code: 422, msg, data: { field } })
  })
})
