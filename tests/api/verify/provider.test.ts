import { env } from 'cloudflare:test'
import { afterEach, describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { PROVIDER } from '#contract/kernel/limits.ts'
import type { Channel, Outside } from '#contract/kernel/outside.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { codes } from '#db/schema/accounts.ts'
import { providerStatus } from '#db/schema/service.ts'
import { checkProviders } from '#jobs/providers.ts'
import { createOutside } from '#outside/adapters.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { solvedChallenge } from '#tests/support/clients.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, nextAddress } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const { clearFakes, fakes, setModes } = openFakes('provider')

/** The Worker as it is deployed, with the fakes as its providers. */
const deployed = createTestWorker({ env: fakes.bindings })

afterEach(async () => {
  await db.delete(providerStatus)
  await clearFakes()
})

const isDown = async (channel: Channel) => {
  const { data } = await call(opsApi.providerStatus, {})
  return data.find((status) => status.channel === channel)
}

async function register(to: string) {
  const { uniqid, code } = await createCaptcha('register')
  const send_type = to.includes('@') ? 'email' : 'phone'
  const input = { send_type, send_value: to, img_code: code, uniqid } as never
  return deployed.call(verifyApi.register, input, { ip: nextAddress() })
}

/** Asks for the code of a recovery. */
async function recover(username: string, send_type: 'phone' | 'email') {
  const captcha = await createCaptcha('find_password')
  const input = { username, img_code: captcha.code, uniqid: captcha.uniqid }
  const { data } = await deployed.call(verifyApi.findPassword, input, { ip: nextAddress() })
  const again = { uniqid: data.uniqid, send_type }
  return deployed.call(verifyApi.findPasswordCode, again, { ip: nextAddress() })
}

/** One account with phone and e-mail, one without, one name that nobody has. */
async function names() {
  const phone = createPhone()
  const full = await createMainAccount({ phone: phone.slice(4), email: `${unique('mail')}@example.com` })
  const bare = await createMainAccount()
  return [full.username, bare.username, unique('nobody')]
}

const outside = (over: Partial<Env> = {}): Outside => createOutside({ ...env, ...fakes.bindings, ...over })

describe('account 8 · a provider that is known to fail', () => {
  it.each([
    ['mail', { SMTP_PORT: '1' }],
    ['sms', { ALIYUN_ACCESS_KEY_SECRET: 'wrong' }],
  ] as const)('%s: a check that fails refuses every name alike and costs nobody a code', async (channel, broken) => {
    const now = Date.now()
    await checkProviders(db, outside(broken), now)
    expect(await isDown(channel)).toMatchObject({ down: 1, last_success: null, last_check: now })
    expect(await isDown(channel === 'mail' ? 'sms' : 'mail')).toMatchObject({ down: 0, failure: '' })
    const rows = await db.$count(codes)
    const bodies = new Set<string>()
    for (const name of await names()) {
      const answer = await recover(name, channel === 'mail' ? 'email' : 'phone')
      expect(answer).toMatchObject({ ...refusal('SEND_FAILED'), trips: 2 })
      const { request_id: _, headers: __, ...body } = answer
      bodies.add(JSON.stringify(body))
    }
    expect(bodies.size).toBe(1)
    expect(await register(channel === 'mail' ? `${unique()}@example.com` : createPhone())).toMatchObject(
      refusal('SEND_FAILED'),
    )
    expect(await db.$count(codes)).toBe(rows)
  })

  it('of SMS only leaves mails alone', async () => {
    await checkProviders(db, outside({ ALIYUN_ACCESS_KEY_SECRET: 'wrong' }), Date.now())
    expect(await register(`${unique()}@example.com`)).toMatchObject({ code: 200 })
    expect(await register(createPhone())).toMatchObject(refusal('SEND_FAILED'))
  })

  it('a software member’s sign-in is refused as well', async () => {
    await checkProviders(db, outside({ ALIYUN_ACCESS_KEY_SECRET: 'wrong' }), Date.now())
    const input = { area_code: '86', phone: createPhone().slice(4), ...(await solvedChallenge()) }
    expect(await deployed.call(clientApi.phone, input, { ip: nextAddress() })).toMatchObject(refusal('SEND_FAILED'))
  })

  it('works again after a check that succeeds, at most a minute later', async () => {
    const now = Date.now()
    await checkProviders(db, outside({ ALIYUN_ACCESS_KEY_SECRET: 'wrong' }), now)
    await checkProviders(db, outside(), now + PROVIDER.checkDownMs - 1)
    expect(await isDown('sms')).toMatchObject({ down: 1 })
    await checkProviders(db, outside(), now + PROVIDER.checkDownMs)
    expect(await isDown('sms')).toMatchObject({ down: 0 })
    expect(await register(createPhone())).toMatchObject({ code: 200 })
  })

  it('is asked every five minutes while it works, by one run', async () => {
    const asked: Channel[] = []
    const ports = (['mail', 'sms'] as const).map((channel) => [
      channel,
      { check: async () => void asked.push(channel) },
    ])
    const counted = Object.fromEntries(ports) as unknown as Outside
    const now = Date.now()
    for (const at of [now, now + 1, now + PROVIDER.checkMs - 1]) await checkProviders(db, counted, at)
    expect(asked).toEqual(['mail', 'sms'])
    const twice = [1, 2].map(() => checkProviders(db, counted, now + PROVIDER.checkMs))
    await Promise.all(twice)
    expect(asked).toHaveLength(4)
  })

  it('three failed deliveries in a row to what was typed are enough, and it pauses for five minutes', async () => {
    await setModes({ 'aliyun-sms': 'balance' })
    for (let i = 0; i < PROVIDER.failures; i++) {
      expect(await register(createPhone())).toMatchObject({ ...refusal('SEND_FAILED'), trips: 2 })
    }
    expect(await isDown('sms')).toMatchObject({
      down: 1,
      failures: PROVIDER.failures,
      failure: 'isv.AMOUNT_NOT_ENOUGH: 账户余额不足',
    })
    await setModes({ 'aliyun-sms': 'ok' })
    expect(await register(createPhone())).toMatchObject({ ...refusal('SEND_FAILED'), trips: 1 })
    await db.update(providerStatus).set({ countedAt: Date.now() - PROVIDER.pauseMs })
    expect(await register(createPhone())).toMatchObject({ code: 200 })
    expect(await isDown('sms')).toMatchObject({ down: 0, failures: 0 })
  })

  it('deliveries to names never decide: they would reveal which names exist', async () => {
    await setModes({ 'aliyun-sms': 'balance' })
    const [full = '', bare = '', nobody = ''] = await names()
    for (const name of [full, bare, nobody, full, nobody]) {
      expect((await recover(name, 'phone')).reason).not.toBe('SEND_FAILED')
    }
    expect(await isDown('sms')).toMatchObject({
      down: 0,
      failures: 0,
      failure: expect.stringContaining('余额') as string,
    })
  })

  it('after a pause neither: no failure for a name begins another, no success ends one', async () => {
    await setModes({ 'aliyun-sms': 'balance' })
    for (let i = 0; i < PROVIDER.failures; i++) await register(createPhone())
    await db.update(providerStatus).set({ countedAt: Date.now() - PROVIDER.pauseMs })
    for (const mode of ['balance', 'ok']) {
      await setModes({ 'aliyun-sms': mode })
      const [full = ''] = await names()
      expect(await recover(full, 'phone')).toMatchObject({ code: 200 })
      expect(await isDown('sms')).toMatchObject({ down: 0, failures: PROVIDER.failures })
    }
  })

  it('a recipient that is refused says nothing about the provider', async () => {
    await setModes({ 'aliyun-sms': 'number' })
    for (let i = 0; i < PROVIDER.failures + 1; i++) await register(createPhone())
    expect(await isDown('sms')).toMatchObject({
      down: 0,
      failures: 0,
      failure: 'isv.MOBILE_NUMBER_ILLEGAL: 号码格式错误',
    })
  })

  it('a template that is not configured refuses its own codes, and does not count against the provider', async () => {
    const SMS_SENDERS = JSON.stringify({ '*': { sign: '组网通知', code: 'SMS_9001' } })
    const domestic = createTestWorker({ env: { ...fakes.bindings, SMS_SENDERS } })
    const ask = async (to: string) => {
      const { uniqid, code } = await createCaptcha('register')
      const input = { send_type: 'phone', send_value: to, img_code: code, uniqid } as const
      return domestic.call(verifyApi.register, input, { ip: nextAddress() })
    }
    for (let i = 0; i < PROVIDER.failures + 1; i++)
      expect(await ask(`+852 6123456${i}`)).toMatchObject(refusal('SEND_FAILED'))
    expect(await isDown('sms')).toMatchObject({
      down: 0,
      failures: 0,
      failure: expect.stringContaining('SMS_SENDERS names no code_abroad for') as string,
    })
    expect(await ask(createPhone())).toMatchObject({ code: 200 })
  })

  it('the operator sees which senders and templates are left out, host by host', async () => {
    const status = async (over: Partial<Env>) => {
      const { data } = await createTestWorker({ env: over }).call(opsApi.providerStatus, {})
      return Object.fromEntries(data.map(({ channel, unset }) => [channel, unset]))
    }
    expect(await status({})).toEqual({ mail: [], sms: [] }) // the outbox of a local run
    expect(await status(fakes.bindings)).toEqual({
      mail: [],
      sms: ['SMS_SENDERS names no notice for unlisted', 'SMS_SENDERS names no notice_abroad for unlisted'],
    })
    const one = { 'console.netloom.cn': 'no-reply@netloom.cn' }
    expect(await status({ ...fakes.bindings, MAIL_SENDERS: JSON.stringify(one), SMS_SENDERS: '{' })).toEqual({
      mail: ['xingqiao.netloom.cn', 'qianfan.netloom.cn', 'lantu.netloom.cn', 'unlisted'].map(
        (host) => `MAIL_SENDERS names no sender for ${host}`,
      ),
      sms: ['SMS_SENDERS is no valid JSON of senders'],
    })
  })

  it('the operator sees the last success and failure, without secrets and addresses', async () => {
    await setModes({ smtp: 'auth' })
    const to = `${unique('visible')}@example.com`
    await register(to)
    await setModes({ smtp: 'ok' })
    await register(`${unique()}@example.com`)
    const mail = await isDown('mail')
    expect(mail).toMatchObject({ down: 0, failure: expect.stringMatching(/^535: 5\.7\.8/) as string })
    expect(mail!.last_success).toBeGreaterThanOrEqual(mail!.last_failure!)
    for (const hidden of [to, ...Object.values(fakes.bindings)]) expect(JSON.stringify(mail)).not.toContain(hidden)
  })

  it('the check finds a missing provider', async () => {
    const none = outside({ ENVIRONMENT: 'production', MAIL_PROVIDER: '', SMS_PROVIDER: '' })
    await checkProviders(db, none, Date.now())
    for (const channel of ['mail', 'sms'] as const)
      expect(await isDown(channel)).toMatchObject({ down: 1, failure: expect.stringContaining('_PROVIDER') as string })
  })
})
