import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { OTP } from '#contract/verify/limits.ts'
import { PASSWORD, createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, lastCode, nextAddress, readCookie, signIn } from '#tests/support/identity.ts'
import { createPhone } from '#tests/support/otp.ts'
import { otherThan, sendNewCode } from '#tests/support/own-contact.ts'
import { call, createTestWorker } from '#tests/support/test-worker.ts'

const worker = createTestWorker({
  env: { ENVIRONMENT: 'production', CF_VERSION_METADATA: { id: 'v1', tag: '', timestamp: '' } },
})
let lines: string[] = []

beforeEach(() => {
  lines = []
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line))
})
const imageCode = async (purpose: 'find_password') => {
  const { uniqid, code } = await createCaptcha(purpose)
  return { uniqid, img_code: code }
}
/** Of a session that has ended. */
async function endedToken(): Promise<string> {
  const main = await createMainAccount()
  await main.call(loginApi.logout, {})
  return main.token
}
const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('design 4 · request log', () => {
  it('one per call: id, route pattern, account, time, trips, code, release', async () => {
    const main = await createMainAccount()
    const { headers } = await worker.call(networkApi.lists, { page: 1, search: '机密' }, main.token)
    expect(written()).toEqual([
      {
        level: 'info',
        event: 'request',
        requestId: headers.get('x-request-id'),
        route: 'GET /api/v1/network/lists',
        accountId: main.accountId,
        release: 'v1',
        ms: expect.any(Number) as number,
        trips: 1,
        near: 0,
        status: 200,
        code: 200,
      },
    ])
  })

  it('the link of a profile is never written: whoever reads the log could use it', async () => {
    const secret = 'A'.repeat(43)
    for (const method of ['GET', 'POST']) await worker.request(`/client/p/${secret}`, { method })
    expect(written()).toHaveLength(2)
    expect(lines.join('\n')).not.toContain(secret)
  })

  it('the code is the envelope’s, of refusals too, and an unknown path is not repeated', async () => {
    await worker.call(accountApi.info, {})
    await worker.request('/api/v1/no/such?token=secret')
    expect(written().map(({ route, status, code }) => ({ route, status, code }))).toEqual([
      { route: 'GET /api/v1/account/info', status: 200, code: 2003 },
      { route: 'GET unknown', status: 404, code: 404 },
    ])
  })

  it('an unexpected error is logged under the request id, which is all the answer reveals', async () => {
    const broken = createTestWorker({
      env: { ENVIRONMENT: 'production' },
      outside: () => {
        throw new Error('adapter is broken')
      },
    })
    const { headers, msg } = await broken.call(loginApi.refresh, {})
    const [fault, request] = written()
    expect(fault).toMatchObject({ level: 'error', event: 'fault', requestId: headers.get('x-request-id') })
    expect(fault?.['error']).toContain('adapter is broken')
    expect(request).toMatchObject({ event: 'request', requestId: headers.get('x-request-id'), code: 500, status: 500 })
    expect(msg).not.toContain('adapter')
  })

  it('no token, password, code, name that was typed or query is in any of them', async () => {
    const main = await createMainAccount()
    const [name, captcha, uniqid] = [unique('typed'), 'QWER', unique('u')]
    await worker.call(loginApi.account, { username: name, password: PASSWORD, code: captcha, uniqid })
    await worker.call(loginApi.authorization, { token: 'link-token-1' })
    await worker.call(loginApi.refresh, {}, { cookie: 'netloom_refresh=refresh-token-1' })
    await worker.call(routerApi.add, { router_type: 1, username: 'NL-X', code: 'ACTI-VATI-ON01' }, main.token)
    const { data } = await worker.call(routerApi.trafficTicket, { kind: 'account' }, main.token)
    const upgrade = { headers: { upgrade: 'websocket', authorization: `Bearer ${main.token}` } }
    await worker.request(`/api/v1/account/live?ticket=${data.ticket}`, upgrade)
    await worker.request(`/api/v1/router/traffic?token=${main.token}&router_name=NL-X`, upgrade)
    await worker.request(`/api/v1/${main.token}?token=${main.token}`)
    const secrets = [PASSWORD, captcha, 'link-token-1', 'refresh-token-1', 'ACTI-VATI', main.token, data.ticket]
    const text = lines.join('\n')
    expect(written().filter(({ event }) => event === 'request')).toHaveLength(8)
    for (const secret of [...secrets, name, uniqid, '?', 'NL-X', env.JWT_KEYS]) expect(text).not.toContain(secret)
  })

  it('a refused sign-in, right, operator token, device and foreign page leaves a line with request id and address', async () => {
    const sub = await createSubAccount(await createMainAccount())
    const ip = '2001:db8:7:8:9::1'
    const headers = { 'cf-connecting-ip': ip }
    const captcha = await createCaptcha()
    const input = { username: unique('nobody'), password: PASSWORD, ...captcha }
    const answers = [
      await worker.call(loginApi.account, input, { ip }),
      await worker.call(loginApi.ram, input, { ip }),
      await worker.call(loginApi.authorization, { token: 'made-up' }, { ip }),
      await worker.call(ramApi.domain, {}, { token: sub.token, ip }),
      await worker.call(networkApi.create, { network_name: 'x', center: ['y'], point: [] }, { token: sub.token, ip }),
      await worker.call(opsApi.tokenLink, { account: 'demo' }, { token: 'wrong', ip }),
      await worker.call(loginApi.refresh, {}, { ip, headers: { origin: 'https://evil.example' } }),
      await worker.call(clientApi.authToken, { request_id: 'guessed', verifier: 'v'.repeat(43) }, { ip }),
    ]
    const device = await worker.request('/device/v1/connect', {
      headers: { ...headers, authorization: 'Bearer x.y.z' },
    })
    const ids = [...answers.map((answer) => answer.headers), device.headers].map((all) => all.get('x-request-id'))
    expect(written().filter(({ event }) => event === 'refused')).toEqual(
      [
        ['LOGIN_FAILED', 'POST /api/v1/login/account'],
        ['CAPTCHA_WRONG', 'POST /api/v1/login/ram'],
        ['LINK_BAD', 'POST /api/v1/login/authorization'],
        ['PERMISSION_DENIED', 'GET /api/v1/ram/domain'],
        ['PERMISSION_DENIED', 'POST /api/v1/network/create'],
        ['TOKEN_BAD', 'POST /ops/v1/login/token_link'],
        ['ORIGIN_FOREIGN', 'POST /api/v1/login/refresh'],
        ['AUTH_REQUEST_BAD', 'POST /api/v1/client/auth/token'],
        ['DEVICE_REJECTED', 'GET /device/v1/connect'],
      ].map(([reason, route], n) => ({
        level: 'warn',
        event: 'refused',
        requestId: ids[n],
        route,
        release: 'v1',
        reason,
        address: '2001:db8:7:8::/64',
        ...(reason === 'PERMISSION_DENIED' && { accountId: sub.accountId }),
      })),
    )
  })

  it('a wrong code or password, a used-up ticket, a full hash queue and a refresh token used twice leave one, too', async () => {
    const ip = nextAddress()
    const phone = createPhone()
    const { username } = await createMainAccount({ phone: phone.slice(4) })
    const found = await call(verifyApi.findPassword, { username, ...(await imageCode('find_password')) }, { ip })
    const recovery = { uniqid: found.data.uniqid, send_type: 'phone' } as const
    await call(verifyApi.findPasswordCode, recovery, { ip })
    const code = otherThan((await lastCode(phone))!)
    for (let n = 0; n < OTP.tries; n++) await worker.call(verifyApi.authentication, { ...recovery, code }, { ip })
    await worker.call(verifyApi.findPassword, { username, img_code: 'XXXX', uniqid: 'made-up' }, { ip })
    await worker.call(clientApi.phoneLogin, { uniqid: 'made-up', phone: '18800000000', code, os: 'android' }, { ip })
    await worker.call(loginApi.totp, { ticket: 'made-up', code }, { ip })

    const owner = await createMainAccount()
    const to = createPhone()
    const own = { area_code: '86', phone: to.slice(4), code: await sendNewCode(owner, to), password: 'Wrong2026' }
    for (let n = 0; n <= LOGIN_GUARD.failures; n++)
      await worker.call(accountApi.editPhone, own, { token: owner.token, ip })
    const sub = await createSubAccount(owner)
    const busy = createTestWorker({
      env: { ENVIRONMENT: 'production' },
      passwords: () => ({ run: async () => refuse('HASHING_BUSY', { retry_after: 2 }) }),
    })
    const fresh = { old_password: PASSWORD, password: 'Fresh2026', reset_password: 'Fresh2026' }
    await busy.call(ramApi.password, fresh, { token: sub.token, ip })

    const stolen = readCookie(await signIn(owner.username))
    const next = readCookie(await call(loginApi.refresh, {}, { cookie: stolen }))
    const current = readCookie(await call(loginApi.refresh, {}, { cookie: next }))
    for (const cookie of [stolen, current])
      await worker.call(loginApi.refresh, {}, { cookie: `__Secure-${cookie}`, ip })
    await worker.call(accountApi.info, {}, { token: await endedToken(), ip })

    const refused = written().filter(({ event }) => event === 'refused')
    const [wrong, guesses] = [OTP.tries - 1, LOGIN_GUARD.failures]
    expect(refused.map(({ reason, route }) => `${String(reason)} ${String(route)}`)).toEqual([
      ...Array.from({ length: wrong }, () => 'CODE_WRONG POST /api/v1/verify/authentication'),
      'CODE_SPENT POST /api/v1/verify/authentication',
      'IMG_CODE_WRONG POST /api/v1/verify/find_password',
      'CODE_WRONG POST /api/v1/client/phone_login',
      'LOGIN_TICKET_BAD POST /api/v1/login/totp',
      ...Array.from({ length: guesses }, () => 'LOGIN_PASSWORD_WRONG POST /api/v1/account/edit_phone'),
      'LOGIN_PASSWORD_PAUSED POST /api/v1/account/edit_phone',
      'HASHING_BUSY POST /api/v1/ram/password',
      'SESSION_REVOKED POST /api/v1/login/refresh', // the copied one; that a session has ended is no news
    ])
    for (const line of refused) expect(JSON.stringify(line)).not.toContain(username)
  })

  it('a local run writes faults only', async () => {
    await createTestWorker().call(accountApi.info, {})
    expect(lines).toEqual([])
  })
})
