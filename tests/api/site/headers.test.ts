import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { readCookie, openSessions, signIn } from '#tests/support/identity.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createTestWorker, call, refusal } from '#tests/support/test-worker.ts'

const production = createTestWorker({ env: { ENVIRONMENT: 'production' } })

describe('design 4 · response headers', () => {
  const paths = ['/api/v1/site/config', '/api/v1/account/info', '/api/v1/none', '/ops/v1/none', '/device/v1/connect']

  it.each(paths)('has no-store, nosniff, and no frame or other origin may use it: %s', async (path) => {
    const { headers } = await production.request(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), '),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })

  it('an upgrade passes as the hub answered it: its headers are immutable', async () => {
    const upgraded = Object.defineProperty(Response.redirect('https://hub.test'), 'status', { value: 101 })
    const worker = createTestWorker({ hubs: fakeHubs({ 'account.connect': () => upgraded }).hubs })
    const main = await createMainAccount()
    const { ticket } = (await worker.call(routerApi.trafficTicket, { kind: 'account' }, main.token)).data
    const answer = await worker.request(`/api/v1/account/live?ticket=${ticket}`, { headers: { upgrade: 'websocket' } })
    expect(answer.status).toBe(101)
  })

  it('the id of a request is the platform’s ray; a local run, where nobody sets it, makes its own', async () => {
    const headers = { 'cf-ray': 'chosen-by-the-caller' }
    const idOf = async (worker: typeof production) =>
      (await worker.request('/api/v1/site/config', { headers })).headers.get('x-request-id')
    expect(await idOf(production)).toBe('chosen-by-the-caller')
    expect(await idOf(createTestWorker())).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('a local run, which has no certificate, sends no HSTS', async () => {
    const { headers } = await createTestWorker().request('/api/v1/site/config')
    expect(headers.get('strict-transport-security')).toBeNull()
  })
})

describe('design 4 · cross-origin requests', () => {
  // A form that sends the whole tab here brings no cookie along, but its answer may set one, or take one away.
  const other = { headers: { origin: 'https://evil.example', host: 'localhost' } }
  const own = { headers: { origin: 'http://localhost', host: 'localhost' } }

  it('cannot sign a user out', async () => {
    const { username, accountId } = await createMainAccount()
    const cookie = readCookie(await signIn(username))
    const answers = [
      await call(loginApi.logout, {}, { cookie, ...other }),
      await call(loginApi.refresh, {}, { cookie, ...other }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject(refusal('ORIGIN_FOREIGN'))
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    expect(await openSessions(accountId)).toHaveLength(2)
    expect((await call(loginApi.logout, {}, { cookie, ...own })).code).toBe(200)
  })

  it('changes nothing, whatever token it has', async () => {
    const { token } = await createMainAccount()
    const edit = { sign: 'abcdef' }
    expect(await call(accountApi.editSign, edit, { token, ...other })).toMatchObject(refusal('ORIGIN_FOREIGN'))
    expect((await call(accountApi.editSign, edit, { token, ...own })).code).toBe(200)
  })
})
