import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { accounts, ramAccounts } from '#db/schema/accounts.ts'
import { hashPassword } from '#security/password.ts'
import { createCaptcha, nextAddress, readCookie, selectAudit, openSessions, signIn } from '#tests/support/identity.ts'
import { PASSWORD, createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, call, db, hashes, hubCalls, refusal } from '#tests/support/test-worker.ts'

const paused = { code: 429, msg: expect.stringMatching(/^登录失败次数过多，请\d+分钟后重试$/) }

describe('design 6 · login/account', () => {
  it('signs in by username, phone, international phone and e-mail, in any case, in two round trips', async () => {
    const username = unique()
    const phone = `139${String(Date.now()).slice(-8)}`
    const { accountId } = await createMainAccount({ username, phone, email: `${username}@example.com` })
    for (const name of [
      username,
      username.toUpperCase(),
      phone,
      `+86 ${phone}`,
      `${username}@EXAMPLE.com`,
      ` ${phone} `,
    ]) {
      const answer = await signIn(name)
      expect(answer).toMatchObject({ code: 200, trips: 2, data: { token_expire_time: 1800, user: { username } } })
      expect((await call(accountApi.info, {}, answer.data.access_token)).data.username).toBe(username)
    }
    expect(await selectAudit(accountId)).toHaveLength(6)
  })

  it('sets the refresh token as httpOnly cookie of the login paths and never in the body', async () => {
    const { username } = await createMainAccount()
    const answer = await signIn(username)
    const [cookie = '', mark] = answer.headers.getSetCookie()
    expect(mark).toBe('netloom_signed_in=1; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax')
    expect(cookie).toMatch(
      /^netloom_refresh=[\w-]+\.\.[\w-]{22}\.[\w-]{43}; Path=\/api\/v1\/login; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    expect(JSON.stringify(answer.data)).not.toContain(cookie.slice(16, 60))
    expect(answer.data.user.user_phone).toBe('')
  })

  it('answers a wrong password, an unknown name and a sub-account name identically', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const answers = [
      await signIn(main.username, { password: 'wrong-pass' }),
      await signIn(unique('nobody')),
      await signIn(sub.username),
    ]
    for (const { code, msg, reason, data, trips } of answers) {
      const wanted = { ...refusal('LOGIN_FAILED'), data: { field: 'password' }, trips: 1 }
      expect({ code, msg, reason, data, trips }).toEqual(wanted)
    }
    expect(await openSessions(main.accountId)).toHaveLength(2)
  })

  it('reveals a disabled account only with the right password', async () => {
    const { username } = await createMainAccount({ status: 0 })
    expect(await signIn(username)).toMatchObject(refusal('ACCOUNT_DISABLED'))
    expect(await signIn(username, { password: 'wrong-pass' })).toMatchObject(refusal('LOGIN_FAILED'))
  })

  it('finds a user name that stands although it looks like a phone, in each spelling of that phone', async () => {
    const number = `6${String(Date.now()).slice(-7)}`
    const { username } = await createMainAccount({ username: `00852${number}` })
    for (const name of [username, `+852${number}`, `+852 ${number}`])
      expect(await signIn(name)).toMatchObject({ code: 200, data: { user: { username } } })
  })

  it('prefers a verified phone over a username of the same digits', async () => {
    const phone = `1380${String(Date.now()).slice(-7)}`
    const owner = await createMainAccount({ phone })
    await createMainAccount({ username: phone })
    expect((await signIn(phone)).data.user.username).toBe(owner.username)
  })

  it('pauses one address after five failures, with retry_after', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    for (let i = 0; i < LOGIN_GUARD.failures; i++) {
      expect(await signIn(username, { password: 'wrong-pass' }, { ip })).toMatchObject(refusal('LOGIN_FAILED'))
    }
    const answer = await signIn(username, {}, { ip })
    expect(answer).toMatchObject({ ...paused, status: 429, data: { retry_after: expect.any(Number) } })
    expect(await signIn(username)).toMatchObject({ code: 200 })
  })

  it('counts unknown names the same way', async () => {
    const [name, ip] = [unique('nobody'), nextAddress()]
    for (let i = 0; i < LOGIN_GUARD.failures; i++) await signIn(name, {}, { ip })
    expect(await signIn(name, {}, { ip })).toMatchObject(paused)
  })

  it('resets the failure count after a sign-in', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    for (let i = 0; i < 4; i++) await signIn(username, { password: 'wrong-pass' }, { ip })
    expect(await signIn(username, {}, { ip })).toMatchObject({ code: 200 })
    expect(await signIn(username, { password: 'wrong-pass' }, { ip })).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await signIn(username, {}, { ip })).toMatchObject({ code: 200 })
  })

  it('limits password hashing to the allowed attempts for twelve parallel calls', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => signIn(username, { password: 'wrong-pass' }, { ip })),
    )
    expect(tries.filter(({ code }) => code === refusal('LOGIN_FAILED').code)).toHaveLength(LOGIN_GUARD.failures)
  })

  it('opens no session when the password changes while it is being checked', async () => {
    const { username, accountId } = await createMainAccount()
    const changed = db.update(accounts).set({ password: await hashPassword('another-1') })
    const racing = createTestWorker({ afterFirstTrip: () => changed.where(eq(accounts.id, accountId)) })
    const input = { username, password: PASSWORD, ...(await createCaptcha()) }
    expect(await racing.call(loginApi.account, input, { ip: nextAddress() })).toMatchObject(refusal('LOGIN_FAILED'))
    expect(await openSessions(accountId)).toHaveLength(1)
  })

  it.each([
    ['username', { username: ' ' }, '用户名不能为空'],
    ['password', { password: '' }, '密码不能为空'],
    ['password', { password: 'x'.repeat(19) }, '密码长度6-18位'],
    ['code', { code: '' }, '验证码不能为空'],
    ['code', { code: 'ABC' }, '验证码的长度必须为4位'],
  ])('names the field %s of %j', async (field, over, msg) => {
    expect(await signIn('somebody', over)).toMatchObject({ code: 422, msg, data: { field } })
  })
})

describe('design 6 · captcha of a sign-in', () => {
  it('is case-insensitive and single-use', async () => {
    const { username } = await createMainAccount()
    const { uniqid, code } = await createCaptcha()
    const input = { username, password: PASSWORD, uniqid, code: code.toLowerCase() }
    expect(await call(loginApi.account, input, { ip: nextAddress() })).toMatchObject({ code: 200 })
    expect(await call(loginApi.account, input, { ip: nextAddress() })).toMatchObject(refusal('CAPTCHA_WRONG'))
  })

  it('is consumed by a wrong answer, which counts no attempt', async () => {
    const { username } = await createMainAccount()
    const { uniqid, code } = await createCaptcha()
    const ip = nextAddress()
    const input = { username, password: PASSWORD, uniqid, code }
    expect(await call(loginApi.account, { ...input, code: '0000' }, { ip })).toMatchObject(refusal('CAPTCHA_WRONG'))
    expect(await call(loginApi.account, input, { ip })).toMatchObject(refusal('CAPTCHA_WRONG'))
    for (let i = 0; i < LOGIN_GUARD.failures; i++) await call(loginApi.account, input, { ip })
    expect(await signIn(username, {}, { ip })).toMatchObject({ code: 200 })
  })

  it('is refused for another purpose', async () => {
    const { username } = await createMainAccount()
    expect(await signIn(username, await createCaptcha('register'))).toMatchObject(refusal('CAPTCHA_WRONG'))
  })

  it('passes one of a hundred parallel uses', async () => {
    const captcha = await createCaptcha()
    const input = { username: unique('nobody'), password: PASSWORD, ...captcha }
    const ip = nextAddress()
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(loginApi.account, input, { ip })))
    expect(answers.filter(({ msg }) => msg === refusal('LOGIN_FAILED').msg)).toHaveLength(1)
    const wrong = answers.filter(({ reason }) => reason === 'CAPTCHA_WRONG' || reason === 'WORK_REQUIRED')
    expect(wrong).toHaveLength(99)
  })
})

describe('account 7 · login/ram', () => {
  it('signs in as name@suffix, with the flags and networks of the role', async () => {
    const main = await createMainAccount({ phone: null, email: `${unique()}@example.com` })
    const sub = await createSubAccount(main, { flags: ['router:create'], networks: ['N1'] })
    const answer = await signIn(sub.username, {}, { kind: 'ram' })
    expect(answer).toMatchObject({
      code: 200,
      trips: 2,
      data: { user: { ram: 1, username: sub.username, flags: ['router:create'], networks: ['N1'], user_email: '' } },
    })
    const [row] = await db.select().from(ramAccounts).where(eq(ramAccounts.id, sub.ramId))
    expect(row!.loginAt).not.toBeNull()
  })

  it('refuses a main account, a name without suffix and a foreign suffix alike', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const sub = await createSubAccount(main)
    const [name] = sub.username.split('@')
    const [stranger] = (await createSubAccount(other)).username.split('@')
    for (const wrong of [main.username, name!, `${stranger}@${sub.username.split('@')[1]}`, '@', 'a@b@c']) {
      expect(await signIn(wrong, {}, { kind: 'ram' })).toMatchObject({ ...refusal('LOGIN_FAILED'), trips: 1 })
    }
  })

  it('refuses a disabled sub-account, and one whose account is disabled', async () => {
    const main = await createMainAccount()
    const [first, second] = [await createSubAccount(main), await createSubAccount(main)]
    await db.update(ramAccounts).set({ status: 0 }).where(eq(ramAccounts.id, first.ramId))
    expect(await signIn(first.username, {}, { kind: 'ram' })).toMatchObject(refusal('ACCOUNT_DISABLED'))
    await db.update(accounts).set({ status: 0 }).where(eq(accounts.id, main.accountId))
    expect(await signIn(second.username, {}, { kind: 'ram' })).toMatchObject(refusal('ACCOUNT_DISABLED'))
  })
})

describe('design 6 · a new sign-in with the cookie of an old session', () => {
  it('ends the old session, its sockets too, in the same two round trips', async () => {
    const [before, after] = [await createMainAccount(), await createMainAccount()]
    const cookie = readCookie(await signIn(before.username))
    const old = (await openSessions(before.accountId)).length
    const answer = await signIn(after.username, {}, { cookie })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(await openSessions(before.accountId)).toHaveLength(old - 1)
    expect(await call(loginApi.refresh, {}, { cookie })).toMatchObject(refusal('SESSION_REVOKED'))
    expect(hubCalls).toContainEqual({ kind: 'account', hub: before.hub, method: 'refresh', args: [] })
    expect((await selectAudit(before.accountId))[0]).toMatchObject({ action: 'sign_out', actorKind: 'system' })
    expect((await call(loginApi.refresh, {}, { cookie: readCookie(answer) })).code).toBe(200)
  })

  it('leaves it alone where the sign-in fails or the cookie is made up', async () => {
    const [before, after] = [await createMainAccount(), await createMainAccount()]
    const cookie = readCookie(await signIn(before.username))
    await signIn(after.username, { password: 'wrong-pass' }, { cookie })
    await signIn(after.username, {}, { cookie: cookie.replace(/\.[^.]*$/, '.x') })
    expect((await call(loginApi.refresh, {}, { cookie })).code).toBe(200)
  })
})

describe('design 6 · hashing of a sign-in', () => {
  it('is asked for by what was typed and the address, alike for known and unknown names', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    const before = hashes.length
    await signIn(username.toUpperCase(), { password: 'wrong-pass' }, { ip })
    await signIn('Nobody-Here', { password: 'wrong-pass' }, { ip })
    expect(hashes.slice(before).map(({ client }) => client)).toEqual(
      [username, 'nobody-here'].map((name) => ({
        account: `main:${name}:${ip}`,
        source: `address:${ip}`,
        isAnonymous: true,
      })),
    )
    expect(hashes.slice(before).map(({ task }) => task.check?.stored ?? null)).toEqual([expect.any(String), null])
  })

  it('that the pool refuses counts no try and says when to come back', async () => {
    const busy = createTestWorker({
      passwords: () => ({ run: async () => refuse('HASHING_BUSY', { retry_after: 3 }) }),
    })
    const { username } = await createMainAccount()
    const ip = nextAddress()
    for (let i = 0; i < LOGIN_GUARD.failures + 1; i++) {
      const captcha = await createCaptcha('login')
      const answer = await busy.call(loginApi.account, { username, password: PASSWORD, ...captcha }, { ip })
      expect(answer).toMatchObject({
        ...refusal('HASHING_BUSY', { retry_after: 3 }),
        data: { retry_after: 3 },
        trips: 2,
      })
    }
    expect((await signIn(username, {}, { ip })).code).toBe(200)
  })
})
