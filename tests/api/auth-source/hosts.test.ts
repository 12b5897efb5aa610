import { describe, expect, it } from 'vitest'
import { authSourceApi } from '#contract/auth-source/index.ts'
import { downloadApi } from '#contract/download/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { begin, comeBack, createCompany, createLoginWorker, personOf } from '#tests/support/auth-logins.ts'
import { FORMS } from '#tests/support/auth-sources.ts'
import { unique } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { publish } from '#tests/support/releases.ts'
import { call, db } from '#tests/support/test-worker.ts'

const FILE = { file_name: 'WW_verify_abcdEFGH12345678.txt', file_content: 'abcdEFGH12345678' }

/** A company whose WeCom source has a callback domain of its own. */
async function createOwnDomain() {
  const worker = createLoginWorker({ OPEN_TO_OTHERS: '1' })
  const company = await createCompany(worker)
  const host = `${unique('sso')}.acme.com`
  await insertDomain(db, company.main.accountId, host, Date.now())
  const form = { ...FORMS.wechat, ...FILE, id: company.id, app_secret: '', auth_domain: host }
  const saved = await worker.call(authSourceApi.edit, form, company.main.token)
  expect(saved.code).toBe(200)
  const get = (path: string, init?: RequestInit) => worker.request(`//${host}${path}`, init)
  return { worker, company, host, form, get }
}

describe('directory 3 · a callback domain of the customer’s own', () => {
  it('serves WeCom’s file, the downloads of a source ID, and nothing else', async () => {
    const { company, get } = await createOwnDomain()
    const file = await get(`/${FILE.file_name}`)
    expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/i) as unknown,
      FILE.file_content,
    ])
    expect((await get(`/c/${company.code}`)).status).toBe(200)
    for (const path of [
      '/',
      '/login',
      '/index.html',
      '/install.sh',
      '/WW_verify_abcdEFGH12345679.txt',
      `/x/${FILE.file_name}`,
      '/api/v1/site/config',
      '/api/v1/download/versions',
      '/ops/v1/account/list',
      '/__local/outbox',
      '/auth/callback/x',
      '/auth',
      '/c',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect(await (await get('/auth/confirm')).text()).toContain('登录请求不存在')
    expect((await get('/device/v1/connect')).status).toBe(403) // asks for the signature of a device, at every host
    expect((await get('/auth/callback', { method: 'POST' })).status).toBe(404)
    expect((await get(`/${FILE.file_name}`, { method: 'POST' })).status).toBe(404)
    expect((await get('/api/v1/login/account', { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('binds its host alone to HTTPS, not what the customer serves below it', async () => {
    const { company, host } = await createOwnDomain()
    const { request } = createLoginWorker({ OPEN_TO_OTHERS: '1', ENVIRONMENT: 'production' })
    const hsts = async (at: string, path: string) =>
      (await request(`//${at}${path}`)).headers.get('strict-transport-security')
    for (const path of [`/${FILE.file_name}`, `/c/${company.code}`, '/auth/callback', '/none'])
      expect([path, await hsts(host, path)]).toEqual([path, 'max-age=31536000'])
    expect(await hsts('console.netloom.cn', '/auth/callback')).toBe('max-age=31536000; includeSubDomains')
  })

  it('is where the browser comes back to, and only there', async () => {
    const { worker, company, host } = await createOwnDomain()
    const login = await begin(worker, company)
    const back = worker.vendors.authorize(login.url, personOf(company))
    expect(back.to.href).toBe(`https://${host}/auth/callback`)
    expect(await comeBack(worker, back, login.ip)).toContain('登录成功')
    expect((await login.poll()).data.session?.router_name).toBe(company.member.name)
    const second = await begin(worker, company)
    const elsewhere = worker.vendors.authorize(second.url, personOf(company))
    const page = await comeBack(worker, { ...elsewhere, to: new URL('http://localhost/auth/callback') }, second.ip)
    expect(page).toContain('登录请求不存在')
    expect(await second.poll()).toMatchObject({ reason: 'AUTH_REQUEST_BAD' })
  })

  it('is nobody’s host once it is given up, and a listed host is none', async () => {
    const { worker, company, form, host } = await createOwnDomain()
    const given = { ...form, auth_domain: '', file_name: '', file_content: '' }
    expect((await worker.call(authSourceApi.edit, given, company.main.token)).code).toBe(200)
    const { request } = createLoginWorker({ OPEN_TO_OTHERS: '1' }) // a new worker: a running one caches for five seconds
    expect((await request(`//${host}/${FILE.file_name}`)).status).toBe(404)
    expect((await request(`//${host}/api/v1/site/config`)).status).toBe(200)
  })

  it('is found whatever the case of its name, and with the dot of the DNS root', async () => {
    const { worker, host } = await createOwnDomain()
    for (const name of [host.toUpperCase(), `${host}.`])
      expect((await worker.request(`//${name}/${FILE.file_name}`)).status).toBe(200)
  })
})

describe('directory 3 · downloads that carry the ID', () => {
  it('/c/<code> names the ID in each file and in the line for Linux; what is absent says so', async () => {
    const worker = createLoginWorker()
    const company = await createCompany(worker)
    const empty = await (
      await worker.request(`/c/${company.code}`, { headers: { 'cf-connecting-ip': nextAddress() } })
    ).text()
    expect(empty.match(/暂未发布/g)).toHaveLength(6)
    await publish(worker, 'exe bytes', { platform: 'windows', version: '9.0.1', name: 'Netloom<1>.msi' })
    await publish(worker, 'agent', { platform: 'linux', panel: 'command', version: '9.0.1', name: 'agent.mjs' })
    const response = await worker.request(`/c/${company.code.toLowerCase()}`)
    const html = await response.text()
    expect(html.match(/暂未发布/g)).toHaveLength(4)
    expect(html).toContain(`curl -fsSL http://localhost/install.sh | sh -s -- --auth-source ${company.code}`)
    expect(html).not.toContain('<script')
    const [, href = ''] = /<a href="([^"]+)"/.exec(html) ?? []
    const file = await worker.request(new URL(href.replaceAll('&amp;', '&')).href.replace('http:', ''))
    expect(await file.text()).toBe('exe bytes')
    expect(decodeURIComponent(file.headers.get('content-disposition') ?? '')).toContain(
      `Netloom_1_-${company.code}.msi`,
    )
    const script = await (await worker.request('/install.sh')).text()
    expect(script).toMatch(/^#!\/bin\/sh\n/)
    expect(script).toContain('/api/v1/download/file?key=')
  })

  it.each(['', 'x', '0000-0000', '%00', '<b>', 'K7Q2-9XTM-'])('/c/%s is nobody’s', async (code) => {
    const response = await createLoginWorker().request(`/c/${code}`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('认证源ID不存在')
  })

  it('needs the flag and an enabled account', async () => {
    const worker = createLoginWorker()
    const company = await createCompany(worker)
    await call(opsApi.setAccountFlags, { account: company.main.username, software_auth_source: 0 })
    expect(await (await worker.request(`/c/${company.code}`)).text()).toContain('未开通第三方认证源')
  })

  it('a name takes no other text than an ID', async () => {
    const worker = createLoginWorker()
    await publish(worker, 'dmg', { platform: 'macOS', version: '9.0.2', name: 'client.dmg' })
    const { data } = await call(downloadApi.versions, {})
    for (const source of ['../../x', 'K7Q2\r\nx: y', 'IIII-OOOO'])
      expect(
        (await worker.request(`${data.macOS!.src}&source=${encodeURIComponent(source)}`)).headers.get(
          'content-disposition',
        ),
      ).toBe(`attachment; filename*=UTF-8''client${source === 'IIII-OOOO' ? '-1111-0000' : ''}.dmg`)
  })
})
