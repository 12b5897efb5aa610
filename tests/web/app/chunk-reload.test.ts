import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const assign = vi.fn<(to: string) => void>()

/** One document with its entry script; `missChunk` reports a missing chunk to it, as Vite does. */
async function openDocument(entry: string) {
  vi.resetModules()
  const { navigation } = await import('#lib/navigation.ts')
  const { isReloading, reloadOnMissingChunk } = await import('#app/chunk-reload.ts')
  vi.spyOn(navigation, 'assign').mockImplementation(assign)
  const target = new EventTarget()
  reloadOnMissingChunk(entry, { address: () => '/router/lists?page=2', isNavigating: () => true }, target)
  return {
    isReloading,
    missChunk: () => {
      const event = new Event('vite:preloadError', { cancelable: true })
      target.dispatchEvent(event)
      return event.defaultPrevented
    },
  }
}

beforeEach(() => {
  sessionStorage.clear()
  assign.mockClear()
})
afterEach(() => vi.restoreAllMocks())

it('reloads the target page once, however many chunks are missing, and leaves the error to the router', async () => {
  const page = await openDocument('/assets/index-1.js')
  expect(page.isReloading()).toBe(false)
  expect([page.missChunk(), page.missChunk()]).toEqual([false, false])
  expect(assign.mock.calls).toEqual([['/router/lists?page=2']])
  expect(page.isReloading()).toBe(true)
})

it('reloads once for each release: a broken one makes no loop', async () => {
  ;(await openDocument('/assets/index-1.js')).missChunk()
  const next = await openDocument('/assets/index-2.js')
  next.missChunk()
  expect(assign).toHaveBeenCalledTimes(2)
  const again = await openDocument('/assets/index-2.js')
  again.missChunk()
  expect(assign).toHaveBeenCalledTimes(2)
  expect(again.isReloading()).toBe(false)
})

it('does not reload while offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const page = await openDocument('/assets/index-1.js')
  page.missChunk()
  expect(assign).not.toHaveBeenCalled()
})

it('does not reload where sessionStorage is blocked', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  const page = await openDocument('/assets/index-1.js')
  page.missChunk()
  expect(assign).not.toHaveBeenCalled()
})
