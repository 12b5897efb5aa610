import { describe, expect, it } from 'vitest'
import config from '#infra/hosts.json'
import { countryApi } from '#contract/country/index.ts'
import { SIGNED_IN_COOKIE } from '#contract/login/limits.ts'
import { siteApi, THEME_COOKIE } from '#contract/site/index.ts'
import { createTestWorker, call } from '#tests/support/test-worker.ts'

const PAGE = `<!doctype html><html lang="zh-CN"><head><meta name="theme-color" content="#fff"><title>x</title>
<link rel="modulepreload" href="/assets/login-abc.js" data-start="login"><link rel="modulepreload" href="/assets/console-abc.js" data-start="console">
</head><body><div id="root"></div><script type="module" src="/assets/main-abc.js"></script></body></html>`

const files: Record<string, [string, string]> = {
  '/': ['text/html; charset=utf-8', PAGE],
  '/client': ['text/html; charset=utf-8', PAGE.replace('main-abc', 'client-abc')],
  '/brand/netloom.svg': ['image/svg+xml', '<svg/>'],
}

/** The static files as the platform serves them. */
const ASSETS = {
  fetch: async (request: Request) => {
    const found = files[new URL(request.url).pathname]
    if (found === undefined) return new Response(null, { status: 404, headers: { 'cache-control': 'immutable' } })
    return new Response(found[1], { headers: { 'content-type': found[0], etag: '"file"' } })
  },
} as unknown as Fetcher

const site = createTestWorker({ env: { ASSETS } })
const open = (host: string, path = '/login', environment: Env['ENVIRONMENT'] = 'production') =>
  createTestWorker({ env: { ASSETS, ENVIRONMENT: environment } }).request(`//${host}${path}`)

const readBrand = (html: string) =>
  JSON.parse(/<script type="application\/json" id="brand">(.*?)<\/script>/.exec(html)![1]!)
const hosts = Object.keys(config.hosts)

describe('account 1 · brand in the page', () => {
  it.each(hosts)('carries the brand of %s inline: no flash, no request', async (host) => {
    const own = config.hosts[host as keyof typeof config.hosts]
    const html = await (await open(host)).text()
    expect(html).toContain(`<title>${own.title}</title>`)
    expect(html).toContain(`style="--netloom-accent:${own.accent}"`)
    expect(html).toContain(`<meta name="theme-color" content="${own.accent}">`)
    expect(html).toContain(`href="${own.logo.replace('.svg', '-icon.svg')}"`)
    expect(readBrand(html)).toEqual({ ...own, environment: 'production' })
    expect(siteApi.config.output.parse(readBrand(html))).toEqual(readBrand(html))
  })

  it('is in the page of software members, too, whatever follows its path', async () => {
    for (const path of ['/client', '/client/', '/client/other']) {
      const page = await open('lantu.netloom.cn', path)
      const html = await page.text()
      expect(html).toContain('client-abc')
      expect(html).not.toMatch(/id="outline"|data-start/)
      expect(readBrand(html)).toMatchObject({ name: '蓝途' })
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
    expect(await (await open('lantu.netloom.cn', '/clients')).text()).toContain('main-abc')
  })

  it('has four brands that differ in title, logo and colour', () => {
    for (const key of ['title', 'logo', 'accent'] as const) {
      expect(new Set(Object.values(config.hosts).map((host) => host[key])).size).toBe(4)
    }
  })

  it('shows the company’s lines on its own hosts and localhost only', async () => {
    for (const host of ['console.netloom.cn', 'localhost', '127.0.0.1']) {
      expect(readBrand(await (await open(host)).text())).toMatchObject({
        handbook: true,
        terms: { clause: 'console', privacy: 'console' },
      })
    }
    for (const host of [...hosts.filter((name) => name !== config.main), 'netloom.workers.dev', 'lantu.netloom.cn.']) {
      const brand = readBrand(await (await open(host)).text())
      expect(brand).toMatchObject({ handbook: false, copyright: null, filing_number: null })
      expect(Object.values(brand.terms ?? {}).filter((source) => source === 'console')).toEqual([])
    }
  })

  it('shows no brand at all on a host that is not listed', async () => {
    for (const host of ['other.example', 'netloom.workers.dev', 'sub.console.netloom.cn']) {
      const html = await (await open(host)).text()
      expect(html).not.toMatch(/织联|netloom\.svg|netloom-icon/)
      expect(readBrand(html)).toMatchObject({ name: null, title: '智能组网控制台', logo: '' })
    }
  })

  it('knows a listed host by its name with the dot of the root as well', async () => {
    expect(readBrand(await (await open('lantu.netloom.cn.')).text())).toMatchObject({ name: '蓝途' })
  })

  it('lets no script run but its own files, frames nothing and leaks no address', async () => {
    const { headers } = await open('console.netloom.cn')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('etag')).toBeNull()
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect((await open('localhost', '/', 'local')).headers.get('strict-transport-security')).toBeNull()
  })

  it('outlines the page by the cookie beside the refresh token, and preloads the chunks of that page alone', async () => {
    const visit = async (path: string, cookie: string) => {
      const html = await (await site.request(path, { headers: { cookie } })).text()
      const [body = ''] = /<body>.*/s.exec(html) ?? []
      return {
        frame: /^<body><style>.*<div id="outline" class="(\w+)".*<div id="root">/s.exec(body)?.[1],
        preloads: [...html.matchAll(/modulepreload" href="\/assets\/(\w+)/g)].map(([, name]) => name),
      }
    }
    expect(await (await site.request('/login')).text()).toMatch(
      /rel="preload" as="image"[^>]*fetchpriority="high">.*<title>/s,
    )
    const signedIn = `${SIGNED_IN_COOKIE}=1`
    expect(await visit('/network/lists', '')).toEqual({ frame: 'form', preloads: ['login'] })
    expect(await visit('/network/lists', signedIn)).toEqual({ frame: 'console', preloads: ['console'] })
    expect(await visit('/', signedIn)).toEqual({ frame: 'console', preloads: ['console'] })
    expect(await visit('/handbook', signedIn)).toEqual({ frame: 'plain', preloads: [] })
    expect(await visit('/404/index', signedIn)).toEqual({ frame: undefined, preloads: [] })
    const dark = await site.request('/login', { headers: { cookie: `${THEME_COOKIE}=dark` } })
    expect(await dark.text()).toContain('<div id="outline" class="form dark"')
  })

  it('serves other files unchanged, with nosniff', async () => {
    const response = await open('localhost', '/brand/netloom.svg')
    expect(await response.text()).toBe('<svg/>')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('etag')).toBe('"file"')
  })

  it.each(['/assets/router-list-page-old.js', '/assets/device-fields-old.js', '/brand/none.svg', '/robots.txt'])(
    'never answers for a missing file: %s',
    async (path) => {
      const response = await open('localhost', path)
      expect([response.status, await response.text()]).toEqual([404, ''])
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )

  it.each(['/', '/router/detail', '/404/index', '/no/such/page', '/saas/devices'])(
    'is served at every address: %s',
    async (path) => {
      const response = await open('localhost', path)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
    },
  )

  it('answers no API path with the page', async () => {
    for (const path of ['/api/v1/none', '/api/none', '/ops/none', '/device/none', '/__local/none']) {
      const response = await open('localhost', path)
      expect([response.status, await response.json()]).toMatchObject([404, { code: 404 }])
    }
  })
})

describe('account 1 · site/config', () => {
  it('answers what the page carries', async () => {
    const response = await site.request('/api/v1/site/config')
    expect(await response.json()).toMatchObject({ code: 200, data: { name: '织联', environment: 'local' } })
  })
})

describe('design 6 · country/lists', () => {
  it('begins with the mainland, Hong Kong, Macao and Taiwan, and lists each country once', async () => {
    const { data, headers } = await call(countryApi.lists, {})
    expect(data.slice(0, 4).map(({ CNName, dialCode }) => CNName + dialCode)).toEqual([
      '中国86',
      '中国香港852',
      '中国澳门853',
      '中国台湾886',
    ])
    expect(data.length).toBeGreaterThanOrEqual(240)
    expect(new Set(data.map(({ code }) => code)).size).toBe(data.length)
    expect(new Set(data.map(({ CNName }) => CNName)).size).toBe(data.length)
    for (const { code, dialCode, CNName, phoneFormat } of data) {
      expect(code).toMatch(/^[A-Z]{2}$/)
      expect(dialCode).toMatch(/^[1-9]\d{0,2}$/)
      expect(CNName).toMatch(/^\p{Script=Han}/u)
      expect(phoneFormat).toMatch(new RegExp(`^\\+${dialCode} `))
    }
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it.each([
    ['US', '1'],
    ['JP', '81'],
    ['KR', '82'],
    ['SG', '65'],
    ['GB', '44'],
    ['DE', '49'],
    ['RU', '7'],
    ['KZ', '7'],
    ['IN', '91'],
    ['VN', '84'],
    ['AE', '971'],
    ['ZA', '27'],
  ])('knows %s under %s', async (code, dialCode) => {
    const { data } = await call(countryApi.lists, {})
    expect(data.find((country) => country.code === code)?.dialCode).toBe(dialCode)
  })
})
