import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from './axe.ts'
import { chooseTheme, resize, startSession, THEMES, useBrowserHarness, WIDTHS } from './browser-harness.ts'
import { ACCOUNT, ADMINISTRATION, NETWORK, PUBLIC, fill, readNumbers } from './page-addresses.ts'

const { origin, visitor } = useBrowserHarness()

it('names every page of the console', () => {
  const table = readFileSync(new URL('../../web/app/pages.ts', import.meta.url), 'utf8')
  const paths = [...table.matchAll(/page\('\w+', '[\w:]+', (?:'([^']+)'|NOT_FOUND)/g)].map(([, path]) => path)
  const named = [...PUBLIC, ...ACCOUNT, ...NETWORK, ...ADMINISTRATION].map((address) => address.split('?')[0])
  expect(new Set(named)).toEqual(new Set(paths.map((path) => path ?? '/404/index')))
})

/** Opens a page and waits for its data. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading').first().waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('.nl-bone, .nl-progress, [aria-busy="true"]') === null)
}

async function listViolations(page: Page, addresses: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const address of addresses) {
    await open(page, address)
    for (const theme of THEMES) {
      await chooseTheme(page, theme)
      for (const fault of await findViolations(page, theme)) faults.push(`${address} (${theme}): ${fault}`)
    }
    await chooseTheme(page, 'light')
  }
  return faults
}

it('axe finds nothing moderate or worse before the sign-in, in light and dark', async () => {
  expect(await listViolations(await visitor(), PUBLIC)).toEqual([])
})

it.each([
  ['account', ACCOUNT],
  ['networks and members', NETWORK],
  ['administration', ADMINISTRATION],
])('axe finds nothing moderate or worse on the pages of %s, in light and dark', async (_, addresses) => {
  const page = await visitor()
  const numbers = await readNumbers(origin, await startSession(page, origin, 'demo01'))
  expect(
    await listViolations(
      page,
      addresses.map((address) => fill(address, numbers)),
    ),
  ).toEqual([])
})

const LISTS = [
  '/account/message',
  '/account/contacts',
  '/account/service',
  '/ticket/lists',
  '/network/lists',
  '/network/detail?network_number={network}&view=table',
  '/network/detail?network_number={network}&view=links',
  '/network/ticket_lists',
  '/network/fr_lists',
  '/router/lists',
  '/router/lists?type=2',
  '/ram/index',
  '/ram/role',
  '/saas/bandwidth_pool',
  '/saas/bandwidth_pool_detail?id={pool}',
  '/logs/software_login',
  '/logs/online',
  '/logs/connect',
  '/logs/audit',
]
const PAGER_PX = 12 + 32 // with the gap above it

it('ten rows of every list and its pager fit into a window of 1440 × 900, whatever number of rows it has', async () => {
  const page = await visitor()
  const numbers = await readNumbers(origin, await startSession(page, origin, 'demo01'))
  const faults: string[] = []
  for (const address of LISTS.map((one) => fill(one, numbers))) {
    await open(page, address)
    const [head, tallest] = await page.evaluate(() => [
      document.querySelector('.nl-table thead')?.getBoundingClientRect().bottom ?? Infinity,
      Math.max(
        ...[...document.querySelectorAll('.nl-table tbody tr')].map((row) => row.getBoundingClientRect().height),
      ),
    ])
    const bottom = (head ?? 0) + 10 * (tallest ?? 0) + PAGER_PX
    if (!(bottom <= 900)) faults.push(`${address}: rows of ${tallest} px, the pager would end at ${bottom}`)
  }
  expect(faults).toEqual([])
})

const FORMS = ['/account/info', '/account/password', '/ticket/create', '/router/ldap_edit?ldapType=create']

it('notes stand in the right half beside a form, and below it on a phone', async () => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  const faults: string[] = []
  for (const address of FORMS) {
    await open(page, address)
    const place = async () => ({
      form: await page.getByRole('main').locator('form').first().boundingBox(),
      notes: await page.getByRole('region', { name: /^(接下来|说明|保存以后)$/ }).boundingBox(),
    })
    const wide = await place()
    if (!wide.form || !wide.notes || wide.notes.x < wide.form.x + wide.form.width || wide.notes.y > 400)
      faults.push(`${address}: ${JSON.stringify(wide)}`)
    await resize(page, WIDTHS.phone)
    const narrow = await place()
    if (!narrow.form || !narrow.notes || narrow.notes.y < narrow.form.y + narrow.form.height)
      faults.push(`${address} on a phone: ${JSON.stringify(narrow)}`)
    await resize(page, WIDTHS.wide)
  }
  expect(faults).toEqual([])
})

it.each([
  ['/monitor/setting', '保存'],
  ['/router/ldap_edit?ldapType=create', '检测'],
])('the buttons of a long form stay in the window while it scrolls: %s', async (address, name) => {
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await page.route('**/api/v1/monitor/config', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, enable: 1 } } }) // as if it had been started
  })
  await open(page, address)
  const button = page.getByRole('button', { name, exact: true })
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(1_000)
  const box = await button.boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(900)
})
