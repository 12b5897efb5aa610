import type { Page, Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { startSession, useBrowserHarness } from './browser-harness.ts'
import { ACCOUNT, ADMINISTRATION, NETWORK, fill, readNumbers } from './page-addresses.ts'

// Calls of a walk through the console that need no trip to a far database, by endpoint, with their calls of hubs.

const { origin, visitor } = useBrowserHarness()

const SHARE_PERCENT = 50
/** Time on a page after its data is there: frames of the live channel and polls belong to a walk. */
const LOOK_MS = 1_000

interface Counts {
  calls: number
  /** Calls with a trip to the primary, calls that a copy answered alone, and calls without any trip. */
  far: number
  near: number
  none: number
  hubs: number
}

/** Counts the calls of a page by endpoint, from the headers that local runs add. */
function countCalls(page: Page): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>()
  page.on('response', (response: Response) => {
    const [, path] = /\/api\/v1\/([\w/]+)/.exec(response.url()) ?? []
    const headers = response.headers()
    if (path === undefined || headers['x-db-trips'] === undefined) return
    const [trips, near, hubs] = ['x-db-trips', 'x-near-trips', 'x-hub-calls'].map((name) => Number(headers[name]))
    const count = counts.get(path) ?? { calls: 0, far: 0, near: 0, none: 0, hubs: 0 }
    count.calls += 1
    count.hubs += hubs ?? 0
    count[trips === 0 ? 'none' : trips === near ? 'near' : 'far'] += 1
    counts.set(path, count)
  })
  return counts
}

/** Goes to a page as a link of the console does, without loading the document again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({ idx: history.length, key: to, usr: null }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, address)
  await page.getByRole('heading').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.nl-bone, .nl-progress, [aria-busy="true"]') === null)
  await page.waitForTimeout(LOOK_MS)
}

function toTable(counts: ReadonlyMap<string, Counts>): string {
  const cells = ['calls', 'far', 'near', 'none', 'hubs'] as const
  const toLine = (name: string, values: readonly (string | number)[]) =>
    `${name.padEnd(28)}${values.map((value) => String(value).padStart(7)).join('')}`
  const rows = [...counts].toSorted(([, a], [, b]) => b.calls - a.calls)
  return [
    toLine('', cells),
    ...rows.map(([path, count]) =>
      toLine(
        path,
        cells.map((cell) => count[cell]),
      ),
    ),
  ].join('\n')
}

it('half of the calls of a walk through the console need no trip to a far database', async () => {
  const page = await visitor()
  const numbers = await readNumbers(origin, await startSession(page, origin, 'demo01'))
  await page.goto('/dashboard') // somebody who has used the console in this browser before
  await page.waitForTimeout(LOOK_MS)
  const counts = countCalls(page)
  await page.goto('/dashboard')
  for (const address of [...ACCOUNT, ...NETWORK, ...ADMINISTRATION]) await follow(page, fill(address, numbers))
  const sum = (cell: keyof Counts) => [...counts.values()].reduce((total, count) => total + count[cell], 0)
  const share = (100 * (sum('near') + sum('none'))) / sum('calls')
  console.info(
    `${toTable(counts)}\n${sum('calls')} calls: ${sum('far')} far, ${sum('near')} near, ${sum('none')} without the database; ` +
      `${share.toFixed(1)} % need no far trip; ${sum('hubs')} calls of hubs, ${sum('near')} of them by near reads`,
  )
  expect(counts.size).toBeGreaterThan(40)
  expect(share).toBeGreaterThanOrEqual(SHARE_PERCENT)
})
