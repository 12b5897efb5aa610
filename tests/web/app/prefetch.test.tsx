import { fireEvent, render, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => vi.resetModules())

async function open(load: () => Promise<never>) {
  vi.doMock('#app/pages.ts', () => ({ pageLoader: (path: string) => (path === '/a' ? load : undefined) }))
  const { isPrefetching, prefetchLinks } = await import('#app/prefetch.ts')
  prefetchLinks()
  const { container } = render(
    <a href="/a?b=1">
      <b>到 A</b>
    </a>,
  )
  return { isPrefetching, inside: container.querySelector('b') as Element }
}

it('fetches the chunk of a page once, under the pointer', async () => {
  const load = vi.fn<() => Promise<never>>(() => new Promise<never>(() => {}))
  const { inside, isPrefetching } = await open(load)
  expect(isPrefetching()).toBe(false)
  fireEvent.pointerOver(inside)
  fireEvent.pointerOver(inside)
  expect(load).toHaveBeenCalledTimes(1)
  expect(isPrefetching()).toBe(true)
})

it('fetches nothing ahead without a network', async () => {
  const load = vi.fn<() => Promise<never>>(() => new Promise<never>(() => {}))
  const { inside } = await open(load)
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  fireEvent.pointerOver(inside)
  expect(load).not.toHaveBeenCalled()
  onLine.mockReturnValue(true)
  fireEvent.pointerOver(inside)
  expect(load).toHaveBeenCalledTimes(1)
})

it('a chunk that is missing is tried again, and is no reason to reload', async () => {
  const load = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('gone')))
  const { inside, isPrefetching } = await open(load)
  const { reloadOnMissingChunk } = await import('#app/chunk-reload.ts')
  const { navigation } = await import('#lib/navigation.ts')
  const assign = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  const page = new EventTarget()
  reloadOnMissingChunk('/assets/a.js', { address: () => '/a', isNavigating: () => false }, page)

  fireEvent.pointerOver(inside)
  page.dispatchEvent(new Event('vite:preloadError'))
  expect(assign).not.toHaveBeenCalled()
  await waitFor(() => expect(isPrefetching()).toBe(false))
  fireEvent.pointerOver(inside)
  expect(load).toHaveBeenCalledTimes(2)
  await waitFor(() => expect(isPrefetching()).toBe(false))
  page.dispatchEvent(new Event('vite:preloadError'))
  expect(assign).toHaveBeenCalledWith('/a')
})

it('a chunk that is missing while a navigation waits for it reloads, although it was fetched ahead', async () => {
  const { inside, isPrefetching } = await open(vi.fn<() => Promise<never>>(() => new Promise(() => {})))
  const { reloadOnMissingChunk } = await import('#app/chunk-reload.ts')
  const { navigation } = await import('#lib/navigation.ts')
  const assign = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  const page = new EventTarget()
  reloadOnMissingChunk('/assets/b.js', { address: () => '/b', isNavigating: () => true }, page)
  fireEvent.pointerOver(inside)
  expect(isPrefetching()).toBe(true)
  page.dispatchEvent(new Event('vite:preloadError'))
  expect(assign).toHaveBeenCalledWith('/b')
})
