import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { accounts, outbox } from '#db/schema/accounts.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, lastCode, nextAddress, selectAudit } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const CARRIER = 'xingqiao.netloom.cn'
const { request } = createTestWorker({ env: { OPEN_TO_OTHERS: '1' } }) // under any name, as HOST opens a local run

/** A call of the console at that host. */
async function post(host: string, path: string, body: object, token?: string) {
  const response = await request(`//${host}/api/v1/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': nextAddress(),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  return response.json<{ code: number; data: { uniqid: string } }>()
}

async function register(host: string) {
  const { uniqid, code } = await createCaptcha('register')
  const to = `${unique('carrier')}@example.com`
  await post(host, 'verify/register', { send_type: 'email', send_value: to, img_code: code, uniqid })
  const username = unique('acc')
  const form = {
    username,
    nickname: '启明智造',
    password: 'Weilai26',
    newPassword: 'Weilai26',
    type: 'email',
    verify: to,
  }
  const answer = await post(host, accountApi.register.path, { ...form, code: await lastCode(to), uniqid })
  expect(answer).toMatchObject({ code: 200 })
  return { username, to }
}

const lastMail = async (to: string) => {
  const rows = await db.select().from(outbox).where(eq(outbox.recipient, to))
  return rows.at(-1)
}
const hostOf = async (username: string) =>
  (await db.select().from(accounts).where(eq(accounts.username, username)))[0]?.host

async function recover(host: string, username: string, send_type: 'phone' | 'email' = 'email') {
  const { uniqid, code } = await createCaptcha('find_password')
  const { data } = await post(host, 'verify/find_password', { username, img_code: code, uniqid })
  await post(host, 'verify/find_password_code', { uniqid: data.uniqid, send_type })
}

describe('account 1 · brand of an account', () => {
  it.each([
    [CARRIER, CARRIER, '【星桥云专线控制台】'],
    ['QIANFAN.netloom.cn', 'qianfan.netloom.cn', '【千帆通】'],
    ['localhost', 'console.netloom.cn', '【织联】'],
  ])('an account registered at %s has the host %s, and the brand %s on its code', async (host, kept, brand) => {
    const { username, to } = await register(host)
    expect(await hostOf(username)).toBe(kept)
    expect(await lastMail(to)).toMatchObject({ subject: `${brand}注册账号验证码` })
    await recover('localhost', username)
    expect(await lastMail(to)).toMatchObject({ subject: `${brand}找回密码验证码` })
  })

  it('a host that is not listed shows no brand, then or later', async () => {
    const { username, to } = await register('elsewhere.example.org')
    expect(await hostOf(username)).toBe('unlisted')
    await recover('localhost', username)
    const mail = await lastMail(to)
    expect(mail).toMatchObject({ subject: '找回密码验证码' })
    expect(mail!.body).not.toMatch(/织联|【/)
  })

  it('a code names purpose and brand by SMS as well, of the account and not of the host asked', async () => {
    const phone = createPhone()
    const main = await createMainAccount({ phone: phone.slice(4), host: CARRIER })
    await recover('localhost', main.username, 'phone')
    const sms = await lastMail(phone)
    expect(sms).toMatchObject({
      kind: 'sms',
      body: expect.stringMatching(/^【星桥云专线控制台】您正在找回密码，验证码是 \d{6}/),
    })
    const other = `${unique('bind')}@example.com`
    const input = { send_type: 'email', send_value: other, verify_type: 'verify_email' } as const
    expect(await main.call(verifyApi.sendCode, input)).toMatchObject({ code: 200, trips: 1 })
    expect(await lastMail(other)).toMatchObject({ subject: '【星桥云专线控制台】验证邮箱验证码' })
  })

  it('the operator chooses a listed host, recorded', async () => {
    const main = await createMainAccount()
    const account = main.username
    expect(await call(opsApi.setAccountHost, { account, host: 'Lantu.netloom.cn' })).toMatchObject({ code: 200 })
    expect(await hostOf(account)).toBe('lantu.netloom.cn')
    const unlisted = { ...refusal('HOST_UNKNOWN'), data: { field: 'host' } }
    expect(await call(opsApi.setAccountHost, { account, host: 'evil.example.org' })).toMatchObject(unlisted)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      action: 'account/host',
      actorKind: 'operator',
      before: '{"host":"console.netloom.cn"}',
      after: '{"host":"lantu.netloom.cn"}',
    })
  })

  it('an account that the operator makes has the main host unless one is named', async () => {
    const form = () => ({ username: unique('acc'), nickname: '启明智造', password: 'Secret26' })
    const [plain, carried] = [form(), { ...form(), host: CARRIER }]
    await call(opsApi.createAccount, plain)
    await call(opsApi.createAccount, carried)
    expect(await hostOf(plain.username)).toBe('console.netloom.cn')
    expect(await hostOf(carried.username)).toBe(CARRIER)
    expect(await call(opsApi.createAccount, { ...form(), host: 'evil.example.org' })).toMatchObject(
      refusal('HOST_UNKNOWN'),
    )
  })
})
