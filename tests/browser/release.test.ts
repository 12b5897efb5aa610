import { expect, it } from 'vitest'
import { openFromMenu, startSession, useBrowserHarness } from './browser-harness.ts'

const { origin, visitor, tolerate } = useBrowserHarness()
const CHUNK = '**/assets/router-list-page*.js'
const RETRY = { name: '重试' } as const

it('answers 404 for a missing file, with no-store', async () => {
  const response = await fetch(`${origin}/assets/router-list-page-gone.js`)
  expect([response.status, await response.text()]).toEqual([404, ''])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('offers a retry when a chunk fails to load', async () => {
  tolerate('Failed to load resource')
  tolerate('dynamically imported module')
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await page.goto('/account/service')
  await page.route(CHUNK, (route) => route.fulfill({ status: 404 }))
  await openFromMenu(page, '成员管理', '成员列表')
  await page.getByRole('button', RETRY).waitFor()
  await page.unroute(CHUNK)
  await page.getByRole('button', RETRY).click()
  const heading = page.getByRole('heading', { name: '成员列表' })
  await heading.waitFor()
  expect(await heading.isVisible()).toBe(true)
})

it('reloads after a release for a missing chunk', async () => {
  tolerate('Failed to load resource')
  tolerate('dynamically imported module')
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await page.goto('/account/service')
  await page.route(CHUNK, (route) => route.fulfill({ status: 404 }), { times: 1 })
  await openFromMenu(page, '成员管理', '成员列表')
  const heading = page.getByRole('heading', { name: '成员列表' })
  await heading.waitFor()
  await page.waitForURL('**/router/lists')
  expect(await heading.isVisible()).toBe(true)
})

it('reloads once, where the release itself is broken', async () => {
  tolerate('Failed to load resource')
  tolerate('dynamically imported module')
  const page = await visitor()
  await startSession(page, origin, 'demo01')
  await page.goto('/account/service')
  await page.route(CHUNK, (route) => route.fulfill({ status: 404 }))
  let loads = 0
  page.on('load', () => loads++)
  await openFromMenu(page, '成员管理', '成员列表')
  await page.getByRole('button', RETRY).waitFor()
  await page.waitForURL('**/router/lists')
  expect(loads).toBe(1)
})
