import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { outboxCode } from '../../infra/local/api.ts'
import { findChromium } from '../../infra/local/chromium.ts'

export const WIDTHS = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 992, height: 800 },
  phone: { width: 390, height: 844 },
} as const

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--lang=zh-CN',
]

export interface Stage {
  readonly origin: string
  /** A fresh visitor: own cookies, own storage. */
  visitor(size?: { width: number; height: number }): Promise<Page>
}

/** A Chromium for one test file. Whatever a page prints as error or warning, or throws, fails the test that did it. */
export function useStage(): Stage {
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  let complaints: string[] = []
  const origin = inject('origin')

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: FLAGS })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    const found = complaints
    complaints = []
    expect(found).toEqual([])
  })
  afterAll(() => browser?.close())

  return {
    origin,
    visitor: async (size = WIDTHS.wide) => {
      if (!browser) throw new Error('used outside a test')
      const context = await browser.newContext({
        viewport: size,
        locale: 'zh-CN',
        timezoneId: 'Asia/Shanghai',
        baseURL: origin,
      })
      contexts.push(context)
      const page = await context.newPage()
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()} ${message.text()}`)
      })
      page.on('pageerror', (error) => complaints.push(`${page.url()} ${error.message}`))
      page.setDefaultTimeout(15_000)
      return page
    },
  }
}

/** Signs in through the page, with the captcha that a person would read. */
export async function signIn(page: Page, origin: string, username: string, password = 'Demo2026'): Promise<void> {
  const drawn = page.waitForResponse((response) => response.url().includes('/verify/code'))
  await page.goto('/login')
  const { data } = (await (await drawn).json()) as { data: { uniqid: string } }
  if (username.includes('@')) {
    const again = page
      .waitForResponse((response) => response.url().includes('/verify/code'), { timeout: 3_000 })
      .catch(() => null)
    await page.getByText('子账号登录').click()
    const redrawn = await again
    if (redrawn) data.uniqid = ((await redrawn.json()) as { data: { uniqid: string } }).data.uniqid
  }
  await page.getByLabel('用户名', { exact: false }).first().fill(username)
  await page.getByLabel('密码', { exact: false }).first().fill(password)
  await page
    .getByLabel('验证码', { exact: false })
    .first()
    .fill(await outboxCode(origin, 'captcha', { uniqid: data.uniqid }))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}
