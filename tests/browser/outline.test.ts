import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { startSession, useBrowserHarness } from './browser-harness.ts'

const { origin, visitor } = useBrowserHarness()

/** Opens a page whose scripts and style sheets do not arrive before `release`. */
async function openHeld(page: Page, path: string) {
  const held: Route[] = []
  let isHeld = true
  await page.route(/\/assets\/.*\.(js|css)$/, (route) => (isHeld ? void held.push(route) : route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  return async () => {
    isHeld = false
    await Promise.all(held.map((route) => route.continue()))
  }
}

/** Chromium has painted text or a picture. */
const painted = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0, null, { polling: 100 })

const outline = (page: Page) => page.locator('#outline')
const accentOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)

describe('first paint', () => {
  it('a visitor sees the outline of the form before any script or style sheet is there, and then the form', async () => {
    const page = await visitor()
    const release = await openHeld(page, '/network/lists')
    await painted(page)
    expect(await outline(page).getAttribute('class')).toBe('form')
    expect(await outline(page).isVisible()).toBe(true)
    expect(await accentOf(page, '#outline .page b:last-child')).toBe('rgb(11, 107, 203)')
    expect(await page.locator('script').evaluateAll((scripts) => scripts.length)).toBe(2) // the entry, and the brand's data
    await release()
    await page.getByRole('button', { name: '登录' }).waitFor()
    await outline(page).waitFor({ state: 'hidden' })
    // Rules of later chunks win: the sheets of the entry are applied, and stand before all others.
    const media = await page.evaluate(() => [...document.styleSheets].map((sheet) => sheet.media.mediaText))
    const [first = 0, last = 0] = [media.indexOf('all'), media.lastIndexOf('all')]
    expect(media.slice(first, last + 1)).toEqual(['all', 'all', 'all'])
    expect([first, media.length > last + 1, media.includes('not all')]).toEqual([0, true, false])
  })

  it('whoever is signed in sees header and menu, on the outline 正在获取授权, and then the page', async () => {
    const page = await visitor()
    await startSession(page, origin, 'demo01')
    const release = await openHeld(page, '/ticket/lists')
    await painted(page)
    expect(await outline(page).getAttribute('class')).toBe('console')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/v1/login/refresh', async (route) => {
      await answered
      await route.continue()
    })
    await release()
    await page.getByText('正在获取授权').waitFor()
    expect(await outline(page).isVisible()).toBe(true)
    answer()
    await page.getByRole('heading', { name: '客服工单' }).waitFor()
    await outline(page).waitFor({ state: 'hidden' })
  })

  it('after the sign-out the cookie of the outline is gone as well', async () => {
    const page = await visitor()
    await startSession(page, origin, 'demo01')
    const names = async () => (await page.context().cookies()).map(({ name }) => name)
    expect(await names()).toContain('netloom_signed_in')
    await page.request.post('/api/v1/login/logout', { data: {} })
    expect(await names()).not.toContain('netloom_signed_in')
  })
})
