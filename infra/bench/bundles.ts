import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { withConsoles } from '#infra/local/browser.ts'
import { inRoot } from '#infra/local/paths.ts'
import { openDevice } from './live-clients.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'

/* Bench of bundle sizes: the scripts that Chromium requests on a cold load of each page, gzipped. */

/** Pages and their budgets for JavaScript, gzip, in kB. */
const PAGES = [
  { path: '/login', budget: 180, who: 'anonymous' },
  { path: '/dashboard', budget: 230, who: 'signedIn' },
  { path: '/network/lists', budget: 270, who: 'signedIn' },
  { path: '/router/lists', budget: 270, who: 'signedIn' },
  { path: '/account/message', budget: 270, who: 'signedIn' },
  { path: '/register', budget: 270, who: 'anonymous' },
  { path: '/handbook', budget: 270, who: 'anonymous' },
  { path: '/client', budget: 90, who: 'anonymous' },
] as const
/** Page of a router, with one budget for the chunks that it loads by itself, and one with those of its charts. */
const ROUTER = { path: '/router/detail', budget: 270, drawn: 300 } as const

const INTERFACES = Array.from({ length: 16 }, (_, i) => `wan${i}`)
const FRAMES = 3
const FRAME_MS = 1_000
const SETTLE_MS = 1_500
/** Chunks that may load only for a drawing. */
const HEAVY = /\/(x6|lightweight-charts|topology|drawing|chart-canvas)/i

export async function benchBundles(stack: Stack): Promise<readonly Finding[]> {
  const findings = await withConsoles(stack.origin, async (consoles) => {
    const pages: Finding[] = []
    for (const { path, budget, who } of PAGES)
      pages.push(
        await consoles[who](async (context) => {
          const page = await context.newPage()
          const scripts = watchScripts(page)
          await page.goto(path)
          await page.waitForTimeout(SETTLE_MS)
          if (new URL(page.url()).pathname !== path) throw new Error(`${path} led to ${page.url()}`)
          return toFinding(path, scripts(), budget)
        }),
      )
    return [...pages, ...(await consoles.signedIn(async (context) => measureRouter(stack, await context.newPage())))]
  })
  return print('JavaScript to load', findings)
}

/** Measures a router of 16 interfaces. Its charts are drawn once they are in sight and there is traffic. */
async function measureRouter(stack: Stack, page: Page): Promise<readonly Finding[]> {
  const device = await openDevice(stack, 'demo01', INTERFACES)
  const scripts = watchScripts(page)
  await page.goto(`${ROUTER.path}?router_name=${device.serial}`)
  const chart = page.locator('.nl-chart').first()
  await chart.waitFor({ state: 'attached' })
  await page.waitForTimeout(SETTLE_MS)
  const eager = scripts()
  await chart.evaluate((figure) => figure.scrollIntoView({ block: 'start' }))
  for (let frame = 0; frame < FRAMES; frame++) {
    device.sendCounters()
    await page.waitForTimeout(FRAME_MS)
  }
  await page.waitForTimeout(SETTLE_MS)
  device.close()
  const all = scripts()
  if (all.length === eager.length) throw new Error('The charts were not drawn')
  return [toFinding(ROUTER.path, eager, ROUTER.budget), toFinding(`${ROUTER.path}, drawn`, all, ROUTER.drawn)]
}

function watchScripts(page: Page): () => readonly string[] {
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  return () => [...scripts]
}

function toFinding(what: string, scripts: readonly string[], budget: number): Finding {
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(readFileSync(inRoot('dist', script))).length, 0)
  const heavy = scripts.filter((script) => HEAVY.test(script))
  const note = `${scripts.length} chunks ${heavy.join(' ')}`.trim()
  return { what, value: bytes / 1000, unit: 'kB gzip', budget, must: 'stay below', note }
}
