import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import { AUTH_SOURCE_TYPES, authSourceApi } from '#contract/auth-source/index.ts'
import { clientApi } from '#contract/client/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { confirmCodeText } from '#domain/auth-source/sign-in-page.ts'
import { authBindings, authRequests, authSources } from '#db/schema/auth-sources.ts'
import { clientSessions } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import {
  DEVICE_NAME,
  answerPage,
  begin,
  comeBack,
  createCompany,
  createLoginWorker,
  nextPhone,
  openCallback,
  personOf,
  setMember,
  signInAs,
} from '#tests/support/auth-logins.ts'
import { FORMS, createSource } from '#tests/support/auth-sources.ts'
import { SECRET } from '#tests/support/auth-vendors.ts'
import { loginRecords, readProfile, refreshClient } from '#tests/support/clients.ts'
import { compileDocument } from '#tests/support/documents.ts'
import { createMany, createNetwork, createRouter, selectAudits } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { call as callWorker, db, refusal } from '#tests/support/test-worker.ts'

const worker = createLoginWorker()
const { call, vendors } = worker

describe('directory 3 · sign-in at the client application', () => {
  it.each(AUTH_SOURCE_TYPES)('%s: who has the phone of one member is that member', async (type) => {
    const company = await createCompany(worker, type)
    const login = await begin(worker, company)
    expect(login).toMatchObject({ expires_in: 600, interval: 2 })
    expect(await login.poll()).toMatchObject({ code: 200, data: { status: 'pending', session: null } })
    const back = vendors.authorize(login.url, personOf(company))
    expect(back.state).toMatch(/^[0-9a-f]{32}$/)
    const page = await comeBack(worker, back, login.ip, type === 'dingtalk' ? 'authCode' : 'code')
    expect(page).toContain('登录成功')
    expect(page).toContain(company.member.name)
    const { data } = await login.poll()
    expect(data).toMatchObject({ status: 'done', session: { router_name: company.member.name } })
    expect((await readProfile(data.session!.access_token)).data.router_name).toBe(company.member.name)
    expect(await loginRecords(company.main.accountId)).toMatchObject([
      { ok: 1, routerName: company.member.name, os: 'linux', version: '1.2.3' },
    ])
    expect(await login.poll()).toMatchObject(refusal('AUTH_REQUEST_BAD'))
  })

  it('lists the enabled sources of an ID, however it is typed', async () => {
    const company = await createCompany(worker, 'feishu')
    const other = await createSource(worker, company.main, 'dingtalk')
    await call(authSourceApi.disable, { id: other }, company.main.token)
    for (const code of [company.code, company.code.toLowerCase(), company.code.replace('-', ' ')])
      expect(await call(clientApi.authSource, { code }, { ip: nextAddress() })).toMatchObject({
        code: 200,
        data: [{ id: company.id, type: 'feishu', name: FORMS.feishu.name }],
        trips: 1,
      })
    const absent = await call(clientApi.authSource, { code: '0000-0000' }, { ip: nextAddress() })
    expect(absent).toMatchObject(refusal('AUTH_CODE_UNKNOWN'))
  })

  it('two sources of a type need a choice', async () => {
    const company = await createCompany(worker, 'feishu')
    const id = await createSource(worker, company.main, 'feishu', { name: '飞书二', app_id: 'cli_02' })
    const input = { source_code: company.code, type: 'feishu', challenge: 'x'.repeat(43) } as const
    expect(await call(clientApi.authStart, input, { ip: nextAddress() })).toMatchObject(refusal('AUTH_SOURCE_CHOICE'))
    const { data } = await call(clientApi.authStart, { ...input, id }, { ip: nextAddress() })
    expect(data.url).toContain('cli_02')
  })

  it('WeCom without a phone asks once in its own application, and remembers who it was', async () => {
    const company = await createCompany(worker)
    const silent = personOf(company, { areaCode: '', phone: '' })
    const login = await begin(worker, company)
    const page = await comeBack(worker, vendors.authorize(login.url, silent), login.ip)
    expect(page).toContain('在企业微信中打开授权')
    expect(page).toContain('data:image/svg+xml')
    expect((await login.poll()).data.status).toBe('pending')
    const link = /<a href="([^"]+)"/.exec(page)![1]!.replaceAll('&amp;', '&')
    expect(link).toContain('/in-app?')
    await comeBack(worker, vendors.authorize(link, personOf(company)), login.ip)
    expect((await login.poll()).data.session?.router_name).toBe(company.member.name)
    const again = await signInAs(worker, company, silent)
    expect(again.page).toContain('登录成功')
    expect(again.answer.data.session?.router_name).toBe(company.member.name)
    await setMember(company.member.id, { phone: nextPhone() })
    expect((await signInAs(worker, company, silent)).page).toContain('在企业微信中打开授权')
  })

  it('a binding goes to the newest person of a member', async () => {
    const company = await createCompany(worker)
    await signInAs(worker, company, personOf(company, { userId: 'first' }))
    await signInAs(worker, company, personOf(company, { userId: 'second' }))
    const rows = await db.select().from(authBindings).where(eq(authBindings.sourceId, company.id))
    expect(rows.map(({ userId }) => userId)).toEqual(['second'])
  })

  it('Feishu’s tenant is recorded with its first member', async () => {
    const company = await createCompany(worker, 'feishu')
    const tenantOf = async () => (await db.select().from(authSources).where(eq(authSources.id, company.id)))[0]!.tenant
    await signInAs(worker, company, personOf(company, { phone: nextPhone(), tenant: 'stranger' }))
    expect(await tenantOf()).toBe('')
    await signInAs(worker, company, personOf(company))
    expect(await tenantOf()).toBe('tenant-01')
  })

  it('from every address the person confirms the device and the code that the client shows', async () => {
    const company = await createCompany(worker)
    const answers = { yes: '登录成功', no: '登录已取消' }
    for (const [answer, expected] of Object.entries(answers)) {
      const login = await begin(worker, company)
      expect(login.confirm_code).toMatch(/^\d{6}$/)
      const from = answer === 'yes' ? login.ip : nextAddress()
      const page = await openCallback(worker, vendors.authorize(login.url, personOf(company)), from)
      expect(page).toContain('确认登录')
      for (const shown of [login.ip, DEVICE_NAME, 'Linux', company.member.name, confirmCodeText(login.confirm_code)])
        expect(page).toContain(shown)
      expect((await login.poll()).data.status).toBe('pending')
      expect(await answerPage(worker, page, { answer, origin: 'https://evil.example' })).not.toContain(expected)
      expect((await login.poll()).data.status).toBe('pending')
      expect(await answerPage(worker, page, { answer })).toContain(expected)
      expect(await answerPage(worker, page, { answer })).toContain('登录请求不存在')
      const polled = await login.poll()
      expect(polled).toMatchObject(answer === 'yes' ? { data: { status: 'done' } } : refusal('AUTH_LOGIN_CANCELLED'))
    }
  })

  it('codes of two sign-ins differ, and a client without a name is said to have none', async () => {
    const company = await createCompany(worker)
    const logins = await Promise.all([begin(worker, company), begin(worker, company)])
    expect(new Set(logins.map(({ confirm_code }) => confirm_code)).size).toBe(2)
    const input = { source_code: company.code, type: company.type, challenge: 'x'.repeat(43) }
    const { data } = await call(clientApi.authStart, input, { ip: nextAddress() })
    const page = await openCallback(worker, vendors.authorize(data.url, personOf(company)), nextAddress())
    expect(page).toContain('未提供名称的设备')
  })

  it('of many polls at once one gets the session', async () => {
    const company = await createCompany(worker)
    const login = await begin(worker, company)
    await comeBack(worker, vendors.authorize(login.url, personOf(company)), login.ip)
    const answers = await Promise.all(Array.from({ length: 8 }, () => login.poll()))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(await db.$count(clientSessions, eq(clientSessions.routerId, company.member.id))).toBe(1)
  })

  it.each([
    ['disabled', (id: number, token: string) => call(authSourceApi.disable, { id }, token)],
    ['deleted', (id: number, token: string) => call(authSourceApi.delete, { id }, token)],
    [
      'of another organisation',
      (id: number, token: string) =>
        call(authSourceApi.edit, { ...FORMS.wechat, id, app_id: 'ww99', app_secret: SECRET }, token),
    ],
  ])('a source that is %s signs out who signed in through it, and nobody else', async (_, change) => {
    const company = await createCompany(worker)
    const { answer } = await signInAs(worker, company, personOf(company))
    const session = answer.data.session!
    const second = await createSource(worker, company.main, 'feishu')
    const kept = await signInAs(
      worker,
      { ...company, type: 'feishu', id: second },
      personOf({ ...company, type: 'feishu' }),
    )
    const version = async () =>
      (await db.select().from(routers).where(eq(routers.id, company.member.id)))[0]!.credentialVersion
    const before = await version()
    expect((await change(company.id, company.main.token)).code).toBe(200)
    expect(await readProfile(session.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await refreshClient(session.refresh_token)).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await readProfile(kept.answer.data.session!.access_token)).code).toBe(200)
    expect(await version()).toBe(before + 1)
    expect(await db.$count(authBindings, eq(authBindings.sourceId, company.id))).toBe(_ === 'disabled' ? 1 : 0)
  })

  it('the flag that is turned off signs them out, too', async () => {
    const company = await createCompany(worker)
    const { answer } = await signInAs(worker, company, personOf(company))
    await callWorker(opsApi.setAccountFlags, { account: company.main.username, software_auth_source: 0 })
    expect(await readProfile(answer.data.session!.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })

  it('a refusal is in the audit of the account, with a masked phone', async () => {
    const company = await createCompany(worker, 'dingtalk')
    await signInAs(worker, company, personOf(company, { phone: '13700001111' }))
    const rows = (await selectAudits(company.main.accountId)).filter(({ action }) => action === 'sign_in')
    expect(rows).toMatchObject([
      {
        module: 'auth_source',
        actorKind: 'system',
        target: FORMS.dingtalk.name,
        message: expect.stringContaining('未找到匹配的成员') as unknown,
        after: JSON.stringify({ username: 'zhangsan', phone: '+86 137****1111' }),
      },
    ])
  })

  it('the page runs nothing, and shows texts as texts', async () => {
    const company = await createCompany(worker)
    const hostile = '<img src=x onerror=alert(1)>'
    vendors.authorize((await begin(worker, company)).url, personOf(company))
    const login = await begin(worker, company)
    const { state } = vendors.authorize(login.url, personOf(company))
    const other = createLoginWorker()
    Object.assign(other.vendors.authVendors.wechat, {
      identify: async () => ({ refused: true, code: hostile, message: hostile, field: 'app_id' }),
    })
    const response = await other.request(`/auth/callback?${new URLSearchParams({ state, code: 'x' })}`)
    const html = await response.text()
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).not.toContain('<img')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    expect(html).not.toContain('<script')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('a fault is a page, too, says nothing of itself, and the client gets an answer within a minute', async () => {
    const company = await createCompany(worker)
    const login = await begin(worker, company)
    const { state } = vendors.authorize(login.url, personOf(company))
    const broken = createLoginWorker()
    Object.assign(broken.vendors.authVendors.wechat, {
      identify: async () => {
        throw new Error('secret words')
      },
    })
    const response = await broken.request(`/auth/callback?${new URLSearchParams({ state, code: 'x' })}`)
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8'])
    expect(html).toContain('系统异常')
    expect(html).not.toContain('secret words')
    expect((await login.poll()).data.status).toBe('pending') // an exchange that still works looks the same
    vi.setSystemTime(Date.now() + AUTH_LOGIN.exchangeMs)
    expect(await login.poll()).toMatchObject(refusal('AUTH_REQUEST_BAD'))
  })

  it('an exchange that was slow leaves the client its ten minutes', async () => {
    const company = await createCompany(worker)
    const login = await begin(worker, company)
    await comeBack(worker, vendors.authorize(login.url, personOf(company)), login.ip)
    vi.setSystemTime(Date.now() + AUTH_LOGIN.exchangeMs * 5)
    expect((await login.poll()).data.status).toBe('done')
  })

  it('of many callbacks at once one reaches the vendor', async () => {
    const company = await createCompany(worker)
    const login = await begin(worker, company)
    const back = vendors.authorize(login.url, personOf(company))
    const before = vendors.state.identifies
    const pages = await Promise.all(Array.from({ length: 8 }, () => comeBack(worker, back, login.ip)))
    expect(pages.filter((page) => page.includes('登录成功'))).toHaveLength(1)
    expect(vendors.state.identifies).toBe(before + 1)
  })

  it('costs as many round trips as a read and a write', async () => {
    const company = await createCompany(worker)
    const input = { source_code: company.code, type: company.type, challenge: 'x'.repeat(43) }
    expect((await call(clientApi.authStart, input, { ip: nextAddress() })).trips).toBe(2)
    const login = await begin(worker, company)
    expect((await login.poll()).trips).toBe(1)
    await comeBack(worker, vendors.authorize(login.url, personOf(company)), login.ip)
    expect((await login.poll()).trips).toBe(2)
  })

  it('a disabled source cuts the tunnels of its members at their centres', async () => {
    const company = await createCompany(worker)
    const { main, member } = company
    const [center, point] = await createMany(2, () => createRouter(main.accountId))
    await createNetwork(main, [center!, point!, { ...member, hub: '' }])
    await signInAs(worker, company, personOf(company))
    const version = async () =>
      (await compileDocument(center!.hub)).networks
        .flatMap(({ servers }) => servers.flatMap(({ accounts }) => accounts))
        .find(({ name }) => name === member.name)?.credential_version
    expect(await version()).toBe(0)
    const since = worker.hubCalls.length
    await call(authSourceApi.disable, { id: company.id }, main.token)
    expect(await version()).toBe(1)
    expect(JSON.stringify(worker.hubCalls.slice(since))).toContain(center!.hub)
  })

  it('starts are limited by address', async () => {
    const company = await createCompany(worker)
    const ip = nextAddress()
    const ask = () => call(clientApi.authSource, { code: company.code }, { ip })
    let refused = await ask()
    for (let n = 1; n < 301 && refused.code === 200; n++) refused = await ask()
    expect(refused).toMatchObject({ code: 429, reason: 'TOO_OFTEN' })
    expect(await call(clientApi.authSource, { code: company.code }, { ip: nextAddress() })).toMatchObject({
      code: 200,
    })
  })

  it('a request keeps neither state nor verifier', async () => {
    const login = await begin(worker, await createCompany(worker))
    const [row] = await db.select().from(authRequests).where(eq(authRequests.id, login.request_id))
    const state = new URL(login.url).searchParams.get('state')!
    expect(JSON.stringify(row)).not.toContain(state)
    expect(JSON.stringify(row)).not.toContain(login.verifier)
  })
})
