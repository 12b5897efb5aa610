import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { UserInfo } from '../../../worker/contract/account.ts'
import { aSession } from '../lib/a-user.ts'
import { failing, fakeApi, noOtherTabs } from '../lib/fake-api.ts'

async function openAt(address: string, refresh: Parameters<typeof fakeApi>[0][string]) {
  fakeApi({ 'login/refresh': refresh, 'login/logout': {}, 'router/traffic_ticket': { code: 403, msg: 'x' } })
  vi.resetModules()
  const { ROUTES } = await import('../../../web/app/router.tsx')
  const { pageMoves } = await import('../../../web/lib/page-moves.ts')
  const go = vi.spyOn(pageMoves, 'go').mockImplementation(() => {})
  const router = createMemoryRouter(ROUTES, { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return { router, go }
}
const as = (over: Partial<UserInfo> = {}) => ({ data: aSession(over) })

beforeEach(() => {
  noOtherTabs()
  vi.stubGlobal('scrollTo', () => {}) // jsdom scrolls nothing
})

it('keeps the address of a page that is still to come', async () => {
  await openAt('/account/message', as())
  expect((await screen.findByRole('heading', { name: '我的消息' })).nextSibling?.textContent).toBe('即将开放')
  await waitFor(() => expect(document.title).toMatch(/^我的消息 - /))
  expect(screen.getByRole('link', { name: '我的消息', current: 'page' })).toBeTruthy()
})

it('leads unknown paths to /404/index, and from there home', async () => {
  const { router } = await openAt('/no/such/page', as())
  expect(await screen.findByText('404 Page Not Found')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/404/index')
  expect(screen.getByRole('button', { name: '返回首页' })).toBeTruthy()
})

it('tells a sub-account what it may not see, inside the console', async () => {
  await openAt('/ram/index', as({ ram: 1 }))
  expect(await screen.findByText('没有查看权限')).toBeTruthy()
  expect(screen.getByRole('navigation', { name: '主菜单' })).toBeTruthy()
})

it('offers to try again where nobody could be asked who is here', async () => {
  await openAt('/account/message', failing(new TypeError('Failed to fetch')))
  expect(await screen.findByText('系统响应超时,请稍候尝试')).toBeTruthy()
  expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
})

it('leaves for the door with the whole page', async () => {
  const { go } = await openAt('/account/message', { code: 2003, msg: 'x' })
  await waitFor(() => expect(go).toHaveBeenCalledWith('/login?redirect=%2Faccount%2Fmessage'))
  const inside = await openAt('/dashboard?token=abc', as())
  await waitFor(() => expect(inside.go).toHaveBeenCalledWith('/login?token=abc'))
})

it('gives the keyboard the new page, and a way past the menu', async () => {
  const { router } = await openAt('/account/message', as())
  await screen.findByRole('heading', { name: '我的消息' })
  const main = () => screen.getByRole('main')
  expect(document.activeElement).toBe(document.body) // as after any document has loaded
  await act(() => router.navigate('/account/service'))
  await screen.findByRole('heading', { name: '我的服务' })
  expect(document.activeElement).toBe(main())
  screen.getByRole('link', { name: '下载客户端' }).focus()
  await userEvent.click(screen.getByRole('link', { name: '跳到主要内容' }))
  expect(document.activeElement).toBe(main())
  expect(router.state.location.hash).toBe('')
})
