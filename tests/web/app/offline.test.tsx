import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { ErrorPage } from '#app/error-pages/error-page.tsx'
import { navigation } from '#lib/navigation.ts'
import { networkError } from '#lib/call/transport.ts'
import { failing, fakeApi } from '../lib/fake-api.ts'
import { as, openAt, quietPage } from './open-at.tsx'

const onLine = vi.spyOn(navigator, 'onLine', 'get')
const goOnline = (isOnline: boolean) =>
  act(async () => {
    onLine.mockReturnValue(isOnline)
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
  })

beforeEach(() => {
  quietPage()
  onLine.mockReturnValue(true)
})

it('says 网络已断开 once for the page, and reads again by itself', async () => {
  let isDown = true
  const { api } = await openAt('/network/lists', as(), {
    'network/lists': () => {
      if (isDown) throw new TypeError('Failed to fetch')
      return { data: [], count: 0 }
    },
    'network/config': { code: 500, msg: 'x' },
  })
  await screen.findByRole('heading', { name: '组网列表' })
  await goOnline(false)
  expect(screen.getByText(/^网络已断开/).closest('[role="alert"]')).not.toBeNull()
  isDown = false
  await goOnline(true)
  expect(screen.queryByText(/^网络已断开/)).toBeNull()
  await screen.findByText('好像没有什么东西哦！')
  expect(api.paths().filter((path) => path === 'network/lists').length).toBeGreaterThan(1)
})

describe('a page that could not be loaded', () => {
  const reload = vi.spyOn(navigation, 'reload')
  const MISSING = new TypeError('Failed to fetch dynamically imported module')

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    reload.mockClear().mockImplementation(() => {})
  })
  afterEach(() => void vi.useRealTimers())

  it.each([
    ['a chunk', MISSING],
    ['the session', networkError()],
  ])('%s: the document is loaded again once, by the first answer of the server', async (_what, error) => {
    const api = fakeApi({ 'login/refresh': failing(new TypeError('Failed to fetch')) })
    onLine.mockReturnValue(false)
    render(<ErrorPage error={error} />)
    screen.getByRole('heading', { name: '网络已断开' })
    screen.getByText('页面尚未加载，恢复后自动重试')
    await act(() => vi.advanceTimersByTimeAsync(STATUS_POLL_MS * 3))
    expect(api.paths()).toEqual([])

    await goOnline(true)
    expect(api.paths()).toEqual(['login/refresh']) // the device has a network, the server is not reached yet
    screen.getByRole('heading', { name: '网络已恢复' })
    expect(reload).not.toHaveBeenCalled()

    api.set('login/refresh', as())
    await act(() => vi.advanceTimersByTimeAsync(STATUS_POLL_MS))
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    await act(() => vi.advanceTimersByTimeAsync(STATUS_POLL_MS * 3))
    expect(reload).toHaveBeenCalledTimes(1)
  })

  it('a chunk that failed while online, then the network is lost and found: the same', async () => {
    fakeApi({ 'login/refresh': as() })
    render(<ErrorPage error={MISSING} />)
    screen.getByRole('heading', { name: '页面加载失败' })
    await goOnline(false)
    await goOnline(true)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  })
})

it('an error that was no missing network waits for the user', async () => {
  const reload = vi
    .spyOn(navigation, 'reload')
    .mockClear()
    .mockImplementation(() => {})
  render(<ErrorPage error={networkError()} />)
  screen.getByText('系统响应超时,请稍候尝试')
  await goOnline(true)
  expect(reload).not.toHaveBeenCalled()
})
