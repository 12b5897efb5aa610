import { env } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { liveApi } from '../../../worker/contract/live.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { PASSWORD, createMainAccount, unique } from '../../support/fixtures.ts'
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
afterEach(() => void vi.restoreAllMocks())
const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('request log', () => {
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

  it('a local run writes faults only', async () => {
    await createTestWorker().call(accountApi.info, {})
    expect(lines).toEqual([])
  })
})
