import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageMoves } from '../../../web/lib/page-moves.ts'
import { reloadIfReleased } from '../../../web/lib/release.ts'

const page = (entry: string) => `<!doctype html><script type="module" crossorigin src="${entry}"></script>`
const reload = vi.fn<() => void>()
const online = (entry: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(page(entry), { status }))

beforeEach(() => {
  sessionStorage.clear()
  reload.mockClear()
  vi.spyOn(pageMoves, 'reload').mockImplementation(reload)
  document.head.innerHTML = '<script type="module" src="/assets/index-old.js"></script>'
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('loads the page anew when there is a newer one, once for each release', async () => {
  online('/assets/index-new.js')
  expect(await reloadIfReleased()).toBe(true)
  expect(await reloadIfReleased()).toBe(false) // a cache kept the old page: no loop
  expect(reload).toHaveBeenCalledTimes(1)
  online('/assets/index-newer.js')
  expect(await reloadIfReleased()).toBe(true)
  expect(reload).toHaveBeenCalledTimes(2)
})

it.each([
  ['the page is the newest', () => online('/assets/index-old.js')],
  ['the server is in trouble', () => online('/assets/index-new.js', 503)],
  ['what answers is not the console', () => vi.stubGlobal('fetch', async () => new Response('<p>Wi-Fi 登录</p>'))],
  ['there is no network', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
])('leaves the page alone when %s', async (_, arrange) => {
  arrange()
  expect(await reloadIfReleased()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})

it('leaves the page alone where nothing can remember the reload', async () => {
  online('/assets/index-new.js')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(await reloadIfReleased()).toBe(false)
  expect(reload).not.toHaveBeenCalled()
})
