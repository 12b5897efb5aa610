import { type Browser, type BrowserContext, type Locator, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { DEMO_PASSWORD } from '#infra/demo/data.ts'
import { callEndpoint, outboxItem } from '#infra/local/api.ts'
import { findChromium } from '#infra/local/chromium.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { useOps } from './ops.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'

export const WIDTHS = { wide: 1440, narrow: 992, phone: 390, least: 360 } as const
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const CLOSE_MS = 5_000
const UNREACHABLE = '系统响应超时'
/** A ceiling for a busy machine, on which several browsers share the cores. */
const PATIENT_MS = 120_000

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

interface PageOptions {
  readonly width?: number
  readonly theme?: Theme
  readonly hasTouch?: boolean
  /** Language of the browser itself. */
  readonly locale?: string
  /** Transitions and drawings that move. Without them pages are still, which is most of what a browser costs. */
  readonly hasMotion?: boolean
}

export interface BrowserHarness {
  readonly origin: string
  /** A fresh visitor: own cookies, own storage, own address, since limits count by address. */
  visitor(options?: PageOptions): Promise<Page>
  /** Another tab of the same visitor. */
  tab(page: Page): Promise<Page>
  /** Console errors that this test expects. */
  tolerate(complaint: string | RegExp): void
}

const launch = async (flags: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: await findChromium(), args: [...FLAGS, ...flags] })

let shared: Browser | undefined

/** One Chromium for all files of a worker, which share its modules; it ends with the worker. One that has crashed is replaced. */
async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launch([])
  return shared
}

/**
 * Visitors for one test file; flags start a Chromium of its own. What a page prints as error or warning, throws or does against
 * its policy fails the test.
 */
export function useBrowserHarness(...flags: readonly string[]): BrowserHarness {
  const hasOwnBrowser = flags.length > 0
  let browser: Browser | undefined
  const contexts: BrowserContext[] = []
  let visitors = 0
  let complaints: string[] = []
  let tolerated: (string | RegExp)[] = []
  const origin = inject('origin')
  const fileAddress = `10.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`

  beforeAll(async () => {
    browser = await (hasOwnBrowser ? launch(flags) : sharedBrowser())
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await Promise.all(contexts.flatMap((context) => context.pages()).map(report))
    await Promise.all(contexts.splice(0).map(close))
    const found = complaints.filter((text) => !tolerated.some((known) => matches(text, known)))
    complaints = []
    tolerated = []
    expect(found).toEqual([])
  })
  afterAll(() => (hasOwnBrowser ? browser?.close() : undefined))

  const listen = (page: Page): Page => {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()} ${message.text()}`)
    })
    page.on('pageerror', (error) => complaints.push(`${page.url()} ${error.message}`))
    page.setDefaultTimeout(PATIENT_MS)
    return page
  }
  return {
    origin,
    visitor: async (options = {}) => {
      const { width = WIDTHS.wide, theme = 'light', hasTouch = false, hasMotion = false, locale = 'zh-CN' } = options
      if (!browser) throw new Error('used outside a test')
      const context = await browser.newContext({
        viewport: { width, height: heightFor(width) },
        colorScheme: theme,
        reducedMotion: hasMotion ? 'no-preference' : 'reduce',
        hasTouch,
        isMobile: hasTouch,
        locale,
        timezoneId: 'Asia/Shanghai',
        baseURL: origin,
        extraHTTPHeaders: { 'cf-connecting-ip': `${fileAddress}.${++visitors}` },
      })
      contexts.push(context)
      await context.addInitScript(reportViolations)
      return listen(await context.newPage())
    },
    tab: async (page) => listen(await page.context().newPage()),
    tolerate: (complaint) => tolerated.push(complaint),
  }
}

const matches = (text: string, known: string | RegExp): boolean =>
  typeof known === 'string' ? text.includes(known) : known.test(text)

/** Chromium prints no line for a violation that the script catches, such as a probe for eval. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error(`policy violation: ${effectiveDirective} ${blockedURI}`),
  )
}

/** Prints the page of a failed test, which tells more than the line that timed out. */
async function report(page: Page): Promise<void> {
  const text = await page.innerText('body', { timeout: CLOSE_MS }).catch(String)
  console.error(`${page.url()}\n${text.slice(0, 1500)}`)
}

/** A tab that is navigating may never answer; it is closed with the browser. */
async function close(context: BrowserContext): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS))
  await Promise.race([context.close(), timeout])
}

const heightFor = (width: number): number => (width < 600 ? 844 : 900)

/** Opens a public page; answers the text of the captcha that is drawn on it. One that does not come in time is asked for again. */
export async function openPublicPage(page: Page, origin: string, path: string): Promise<string> {
  for (;;) {
    await page.goto('about:blank') // the page may be open already, with a captcha of its own
    const asked = page.waitForRequest((request) => request.url().includes('/verify/code'))
    await page.goto(path)
    const drawn = await (await asked).response()
    if (drawn !== null) return (await readCaptcha(origin, drawn)).code
  }
}

/** Id and text of a captcha from the answer that draws it. */
export async function readCaptcha(origin: string, drawn: { json(): Promise<unknown> }) {
  const { data } = (await drawn.json()) as { data: { uniqid: string } }
  const { uniqid } = data
  return { uniqid, code: (await outboxItem(origin, 'captcha', { uniqid })).code }
}

/** A field by its label, required or not. */
export const field = (page: Page | Locator, label: string) => page.getByLabel(new RegExp(`^${label}\\*?$`))

/** Messages of the sign-in on an overloaded machine: the harness tries again. */
const BUSY = [UNREACHABLE, '当前请求较多']
const SIGN_IN_TRIES = 5

/** Signs in through the page, with the captcha that a person would read. Where nothing but access counts: `startSession`. */
export async function signIn(page: Page, origin: string, username: string, password = DEMO_PASSWORD): Promise<void> {
  for (let attempt = 1; attempt <= SIGN_IN_TRIES; attempt++) {
    const captcha = await openPublicPage(page, origin, '/login')
    if (username.includes('@')) await page.getByRole('tab', { name: '子账号登录' }).click()
    await field(page, '用户名').fill(username)
    await field(page, '密码').fill(password)
    await field(page, '验证码').fill(captcha)
    await page.keyboard.press('Enter')
    const isOver = (busy: readonly string[]) =>
      location.pathname === '/dashboard'
        ? 'signed in'
        : busy.some((text) => document.body.innerText.includes(text)) && 'busy'
    const outcome = await (await page.waitForFunction(isOver, BUSY, { polling: 100 })).jsonValue()
    if (outcome === 'signed in') return
  }
  throw new Error(`${username} got ${SIGN_IN_TRIES} answers that the service is busy`)
}

/**
 * Gives the visitor a session without the page of the sign-in. A main account's needs no hash of a password either: the token
 * of a link is exchanged as that page would. Answers the access token.
 */
export async function startSession(page: Page, origin: string, username: string, password = DEMO_PASSWORD) {
  const post = async ({ path }: Endpoint, data: object) => {
    const response = await page.request.post(`/api/v1/${path}`, { data, timeout: PATIENT_MS })
    const answer = (await response.json()) as { msg: string; data: { access_token: string } | null }
    if (answer.data === null) throw new Error(`${username}: ${answer.msg}`)
    return answer.data.access_token
  }
  if (username.includes('@')) {
    const drawn = await page.request.get(`/api/v1/${verifyApi.code.path}?purpose=login`)
    const { code, uniqid } = await readCaptcha(origin, drawn)
    return post(loginApi.ram, { username, password, code, uniqid })
  }
  const { url } = await useOps(origin).call(opsApi.tokenLink, { account: username })
  return post(loginApi.authorization, { token: new URL(url).searchParams.get('token') })
}

/** Clicks an entry of the side menu, whose groups are open one at a time; on a phone it opens first. */
export async function openFromMenu(page: Page, group: string, entry: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: '主菜单' })
  const opener = page.getByRole('button', { name: '打开菜单' })
  await menu.or(opener).filter({ visible: true }).first().waitFor()
  if (await opener.isVisible()) await opener.click()
  const head = menu.getByRole('button', { name: group })
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  await menu.getByRole('link', { name: entry }).click()
}

/** An action of a row: a button of its own, or behind ⋯ where the row is too narrow for it. */
export async function chooseInRow(page: Page, row: Locator, action: string): Promise<void> {
  await row.waitFor()
  const button = row
    .getByRole('button', { name: action })
    .or(row.getByRole('link', { name: action }))
    .first()
  if (await button.isVisible()) return button.click()
  await row.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** An action behind ⋯ of what is named. */
export async function chooseFromMenu(page: Page, subject: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `${subject} 的更多操作` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Address of a network, for who has the token. */
export async function findNetworkPath(origin: string, token: string, networkName: string): Promise<string> {
  const found = await callEndpoint(origin, '/api/v1', networkApi.lists, { search: networkName }, token)
  const network = found.find(({ network_name }) => network_name === networkName)
  if (network === undefined) throw new Error(`no network ${networkName}`)
  return `/network/detail?network_number=${network.network_number}`
}

/** Chooses a candidate in the table of members, as a point unless a role is named. */
export async function chooseMember(page: Page, note: string, role?: string): Promise<void> {
  await page.getByLabel('搜索备注、序列号、账号或网段').fill(note)
  await page.getByRole('checkbox', { name: `选择 ${note}`, exact: true }).check()
  if (role === undefined) return
  await page
    .getByRole('group', { name: `${note}的角色` })
    .getByRole('button', { name: role })
    .click()
}

/** Leads to another page of the application, which stays loaded, and waits until it stands there. */
export async function goWithin(page: Page, path: string): Promise<void> {
  if (new URL(path, page.url()).pathname === new URL(page.url()).pathname) {
    await page.goto(path, { waitUntil: 'networkidle' }) // its title would stay
    return
  }
  await page.evaluate((to) => {
    document.title = ''
    const { idx = 0 } = (history.state ?? {}) as { idx?: number }
    history.pushState({ usr: null, key: to, idx: idx + 1 }, '', to) // as the router keeps it
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
  }, path)
  await page.waitForFunction(() => document.title !== '')
}

export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: heightFor(width) })
  await waitTwoFrames(page)
}

/** The device's other theme, which an open page follows. */
export async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await waitTwoFrames(page)
}

/** Waits for two frames: layout, and what reacts to it. */
export async function waitTwoFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Pixels the page is wider than its window. */
export const sideScroll = (page: Page): Promise<number> =>
  page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth)

/** Every frame that a socket of the page receives. */
export function recordFrames(page: Page): string[] {
  const frames: string[] = []
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => payload !== 'pong' && frames.push(String(payload)))
  })
  return frames
}
