import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import type { Input } from '../../../worker/contract/endpoint.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { accounts, codes } from '../../../worker/db/schema/accounts.ts'
import { createCaptcha, nextAddress, selectAudit, lastCode, signIn } from '../../support/identity.ts'
import { createMainAccount, unique } from '../../support/fixtures.ts'
import { call, db, refusal, hashes } from '../../support/test-worker.ts'

let last = 0
const createPhone = () => `166${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`

async function createCode(target: string): Promise<string> {
  const { uniqid, code } = await createCaptcha('register')
  const send_type = target.includes('@') ? 'email' : 'phone'
  await call(verifyApi.register, { send_type, send_value: target, img_code: code, uniqid } as never, {
    ip: nextAddress(),
  })
  return (await lastCode(target))!
}

const form = (over: object): Input<typeof accountApi.register> =>
  ({
    nickname: '张三',
    username: unique('new'),
    password: 'Secret26',
    newPassword: 'Secret26',
    type: 'phone',
    ...over,
  }) as never

describe('account 7 · account/register', () => {
  it('opens an account by phone that can sign in at once, in two round trips', async () => {
    const phone = createPhone()
    const input = form({ verify: `+86 ${phone}`, code: await createCode(`+86 ${phone}`) })
    expect(await call(accountApi.register, input)).toMatchObject({ code: 200, msg: '注册成功', data: null, trips: 2 })
    const [row] = await db.select().from(accounts).where(eq(accounts.username, input.username))
    expect(row).toMatchObject({ areaCode: '86', phone, email: null, ramDomain: input.username, sign: null, status: 1 })
    expect(row!.password).toMatch(/^scrypt\$16384\$8\$5\$/)
    expect(await signIn(phone, { password: 'Secret26' })).toMatchObject({
      code: 200,
      data: { user: { nickname: '张三' } },
    })
    expect((await selectAudit(row!.id)).map(({ action }) => action)).toEqual(['sign_in', 'register'])
  })

  it('opens one by e-mail, whatever its case', async () => {
    const email = `${unique('New')}@Example.com`
    const input = form({ type: 'email', verify: email, code: await createCode(email) })
    expect(await call(accountApi.register, input)).toMatchObject({ code: 200 })
    const [row] = await db.select().from(accounts).where(eq(accounts.username, input.username))
    expect(row).toMatchObject({ email: email.toLowerCase(), phone: null })
    expect(await signIn(email, { password: 'Secret26' })).toMatchObject({ code: 200 })
  })

  it('hashes nothing for what is taken, common or personal', async () => {
    const [phone, other] = [createPhone(), createPhone()]
    const first = form({ verify: `+86 ${phone}`, code: await createCode(`+86 ${phone}`) })
    await call(accountApi.register, first)
    const to = { verify: `+86 ${other}`, code: await createCode(`+86 ${other}`) }
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
    expect(await call(accountApi.register, form({ verify: target, code: await createCode(target) }))).toMatchObject({
      code: 200,
    })
  })

  it('keeps the code when the name is taken, so that another can be typed', async () => {
    const taken = await createMainAccount()
    const phone = createPhone()
    const code = await createCode(`+86 ${phone}`)
    const input = form({ verify: phone, code, username: taken.username })
    expect(await call(accountApi.register, input)).toMatchObject({
      ...refusal('USERNAME_TAKEN'),
      data: { field: 'username' },
    })
    expect(await call(accountApi.register, { ...input, username: unique('new') })).toMatchObject({ code: 200 })
  })

  it('refuses a phone or e-mail that has an account, on its field', async () => {
    const phone = createPhone()
    const email = `${unique('own')}@example.com`
    await createMainAccount({ phone, email })
    const byPhone = form({ verify: phone, code: await createCode(`+86 ${phone}`) })
    expect(await call(accountApi.register, byPhone)).toMatchObject({
      ...refusal('PHONE_TAKEN'),
      data: { field: 'verify' },
    })
    const byEmail = form({ type: 'email', verify: email, code: await createCode(email) })
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
    const code = await createCode(`+86 ${mine}`)
    expect(await call(accountApi.register, form({ verify: other, code }))).toMatchObject(refusal('CODE_WRONG'))
    expect(await call(accountApi.register, form({ verify: mine, code }))).toMatchObject({ code: 200 })
    expect(await call(accountApi.register, form({ verify: mine, code }))).toMatchObject(refusal('CODE_WRONG'))
  })

  it('opens one account for five requests at once', async () => {
    const phone = createPhone()
    const code = await createCode(`+86 ${phone}`)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(accountApi.register, form({ verify: phone, code }))),
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
