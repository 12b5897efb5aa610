import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { ErrorPage } from '#app/error-pages/error-page.tsx'
import { navigation } from '#lib/navigation.ts'
import { networkError } from '#lib/call/transport.ts'
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

it('a page that could not be loaded is loaded once the network is back', async () => {
  const reload = vi.spyOn(navigation, 'reload').mockImplementation(() => {})
  onLine.mockReturnValue(false)
  render(<ErrorPage error={networkError()} />)
  screen.getByRole('heading', { name: '网络已断开' })
  await goOnline(true)
  expect(reload).toHaveBeenCalledTimes(1)
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
