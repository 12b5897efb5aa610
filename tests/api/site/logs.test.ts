import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { liveApi } from '../../../worker/contract/live.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { opsApi } from '../../../worker/contract/ops.ts'
import { ramApi } from '../../../worker/contract/ram.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { PASSWORD, createMainAccount, createSubAccount, unique } from '../../support/fixtures.ts'
import { createCaptcha } from '../../support/identity.ts'
import { createTestWorker } from '../../support/test-worker.ts'

const worker = createTestWorker({
  env: { ENVIRONMENT: 'production', CF_VERSION_METADATA: { id: 'v1', tag: '', timestamp: '' } },
})
let lines: string[] = []

beforeEach(() => {
  lines = []
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line))
})
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
        status: 200,
        code: 200,
      },
    ])
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
    const { data } = await worker.call(liveApi.trafficTicket, { kind: 'account' }, main.token)
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

  it('a local run writes faults only', async () => {
    await createTestWorker().call(accountApi.info, {})
    expect(lines).toEqual([])
  })
})
