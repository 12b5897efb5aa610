import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type Page, chromium } from 'playwright-core'
import { outboxCode } from '#infra/local/api.ts'
import { findChromium } from '#infra/local/chromium.ts'
import { inRoot } from '#infra/local/paths.ts'
import { type Finding, print } from './report.ts'
import { flood, openRouter, scrollToCharts } from './router-page.ts'
import type { Stack } from './stack.ts'

/** Pages and their budgets for JavaScript, gzip, in kB. */
const PAGES = [
  { path: '/login', budget: 170, signedIn: false },
  { path: '/dashboard', budget: 200, signedIn: true },
  { path: '/network/lists', budget: 250, signedIn: true },
  { path: '/router/lists', budget: 250, signedIn: true },
  { path: '/account/message', budget: 250, signedIn: true },
  { path: '/register', budget: 250, signedIn: false },
  { path: '/handbook', budget: 250, signedIn: false },
] as const

const SETTLE_MS = 1_500
/** Chunks that only a drawing may load. */
const HEAVY = /\/(x6|lightweight-charts|topology|drawing|traffic-chart-canvas)/i
/** The page of a router: what it loads by itself, and with the chunk of its charts. */
const ROUTER = { budget: 250, drawn: 300 } as const

/** Bundle sizes: what Chromium requests on a cold load of each page, gzipped. */
export async function benchBundles({ origin }: Stack): Promise<readonly Finding[]> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const findings: Finding[] = []
  try {
    const refresh = await refreshCookie(origin)
    for (const { path, budget, signedIn } of PAGES) {
      const context = await browser.newContext({ baseURL: origin })
      if (signedIn) await context.addCookies([{ ...refresh(), url: `${origin}/api/v1/login` }])
      const page = await context.newPage()
      const scripts = watchScripts(page)
      await page.goto(path)
      await page.waitForTimeout(SETTLE_MS)
      if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
      const heavy = [...scripts].filter((script) => HEAVY.test(script))
      findings.push({
        what: path,
        value: kilobytes([...scripts]),
        unit: 'kB gzip',
        budget,
        note: heavy.join(' ') || `${scripts.size} chunks`,
      })
      if (signedIn) refresh.keep(await context.cookies(`${origin}/api/v1/login`))
      await context.close()
    }
    const context = await browser.newContext({ baseURL: origin })
    await context.addCookies([{ ...refresh(), url: `${origin}/api/v1/login` }])
    findings.push(...(await routerPage(await context.newPage())))
  } finally {
    await browser.close()
  }
  print('JavaScript to load', findings)
  return findings
}

function watchScripts(page: Page): ReadonlySet<string> {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  return scripts
}

const kilobytes = (scripts: readonly string[]): number =>
  scripts.reduce((sum, script) => sum + gzipSync(readFileSync(inRoot('dist', script))).length, 0) / 1000

/** Its charts are drawn once there is traffic. */
async function routerPage(page: Page): Promise<readonly Finding[]> {
  const scripts = watchScripts(page)
  await openRouter(page)
  await page.waitForTimeout(SETTLE_MS)
  const eager = [...scripts]
  await scrollToCharts(page)
  await flood(page, 60)
  await page.waitForTimeout(SETTLE_MS)
  const charts = [...scripts].filter((script) => !eager.includes(script))
  if (charts.length === 0) throw new Error('The charts were not drawn')
  const [size, drawn] = [kilobytes(eager), kilobytes(charts)]
  const heavy = eager.filter((script) => HEAVY.test(script))
  const [what, unit] = ['/router/detail', 'kB gzip']
  return [
    { what, value: size, unit, budget: ROUTER.budget, note: heavy.join(' ') || `${eager.length} chunks` },
    {
      what: `${what}, drawn`,
      value: size + drawn,
      unit,
      budget: ROUTER.drawn,
      note: `${drawn} kB: ${charts.join(' ')}`,
    },
  ]
}

interface Cookie {
  readonly name: string
  readonly value: string
}

/** Signs in once; the refresh cookie rotates with each page, so the newest is carried on. */
export async function refreshCookie(origin: string) {
  const drawn = (await (await fetch(`${origin}/api/v1/verify/code`)).json()) as { data: { uniqid: string } }
  const { uniqid } = drawn.data
  const body = {
    username: 'demo01',
    password: 'Demo2026',
    code: await outboxCode(origin, 'captcha', { uniqid }),
    uniqid,
  }
  const response = await fetch(`${origin}/api/v1/login/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  let cookie: Cookie = { name, value }
  const current = () => cookie
  current.keep = (cookies: readonly Cookie[]) => {
    const newest = cookies.find((one) => one.name === name)
    if (newest) cookie = { name, value: newest.value }
  }
  return current
}
