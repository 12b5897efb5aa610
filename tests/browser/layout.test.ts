import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findNetworkPath, resize, sideScroll, signIn, THEMES, useBrowserHarness, WIDTHS } from './browser-harness.ts'

const { origin, visitor } = useBrowserHarness()
const SHOTS = join(tmpdir(), 'netloom-screenshots')
const BLANK_BYTES = 8_000 // a blank screenshot is smaller
mkdirSync(SHOTS, { recursive: true })

/** Screenshots of a page at several widths; returns the widths at which something is wrong. */
async function findFaults(page: Page, name: string, widths: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await resize(page, width)
    const path = join(SHOTS, `${name}-${width}.png`)
    const screenshot = await page.screenshot({ path, fullPage: name.startsWith('kit') })
    const tooWide = await sideScroll(page)
    if (tooWide > 0) faults.push(`${name} at ${width}: scrolls ${tooWide} px sideways`)
    if (screenshot.length < BLANK_BYTES) faults.push(`${name} at ${width}: blank`)
  }
  await resize(page, WIDTHS.wide)
  return faults
}

it.each(THEMES)('keeps every page inside its window (%s)', async (theme) => {
  const page = await visitor({ theme })
  const faults: string[] = []
  const capture = async (name: string, path: string, text: string) => {
    await page.goto(path)
    await page.getByText(text, { exact: true }).first().waitFor({ state: 'attached' })
    faults.push(...(await findFaults(page, `${name}-${theme}`, Object.values(WIDTHS))))
  }
  await capture('login', '/login', '账号登录')
  await capture('register', '/register', '手机号注册')
  await capture('reset', '/reset', '找回密码')
  await capture('licenses', '/licenses', 'TradingView Lightweight Charts™')
  await signIn(page, origin, 'demo01')
  const network = await findNetworkPath(page, '总部与分支互联')
  await capture('dashboard', '/dashboard', '24 小时在线情况')
  await capture('networks', '/network/lists', '总部与分支互联')
  await capture('graph', `${network}&view=graph`, '北京分公司')
  await capture('table', `${network}&view=table`, '北京分公司')
  await capture('create', '/network/create', '北京分公司')
  await capture('routers', '/router/lists', 'NL22S033')
  await capture('software', '/router/lists?type=2', 'li.na@qiming')
  await capture('router', '/router/detail?router_name=NL80C001', '上海总部机房')
  await capture('missing', '/nowhere', '404 Page Not Found')
  expect(faults).toEqual([])
})

it.each(THEMES)('shows the kit at every width (%s)', async (theme) => {
  const page = await visitor({ theme })
  await page.goto('/__local/kit')
  await page.getByRole('heading').first().waitFor()
  expect(await findFaults(page, `kit-${theme}`, [WIDTHS.wide, WIDTHS.narrow, WIDTHS.phone])).toEqual([])
})
