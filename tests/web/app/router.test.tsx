import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { failing } from '../lib/fake-api.ts'
import { as, openAt, quietPage } from './open-at.tsx'

beforeEach(quietPage)

it.each(['/clause', '/reset'])('%s shows who is signed in, with the menu and the shortcuts', async (path) => {
  await openAt(path, as({ message_count: 3 }))
  await userEvent.click(await screen.findByRole('button', { name: /启明/ }))
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['我的消息3', '退出登录'])
  expect(screen.getByRole('link', { name: '控制台' }).getAttribute('href')).toBe('/')
  expect(screen.getByRole('link', { name: '下载客户端' }).getAttribute('href')).toBe('/download')
  expect(screen.getByRole('link', { name: '客服工单' }).getAttribute('href')).toBe('/ticket/lists')
})

it('shows strangers the way to sign in instead', async () => {
  await openAt('/clause', { code: 2003, msg: '请先登录' })
  expect((await screen.findByRole('link', { name: '登录' })).getAttribute('href')).toBe('/login')
  expect(screen.queryByRole('link', { name: '控制台' })).toBeNull()
})

it('shows strangers no link to a console on the form pages', async () => {
  await openAt('/reset', { code: 2003, msg: '请先登录' })
  expect((await screen.findByRole('link', { name: '返回登录' })).getAttribute('href')).toBe('/login')
  expect(screen.queryByRole('link', { name: '控制台' })).toBeNull()
})

it('leads unknown paths to /404/index, and from there home', async () => {
  const { router } = await openAt('/no/such/page', as())
  await screen.findByText('404 Page Not Found')
  expect(router.state.location.pathname).toBe('/404/index')
  expect(screen.queryByRole('button', { name: '返回首页' })).not.toBeNull()
})

it('shows a forbidden page to a sub-account, inside the console', async () => {
  await openAt('/ram/index', as({ ram: 1 }))
  await screen.findByText('没有查看权限')
  expect(screen.queryByRole('navigation', { name: '主菜单' })).not.toBeNull()
})

it('offers a retry where the session could not be read', async () => {
  await openAt('/account/message', failing(new TypeError('Failed to fetch')))
  await screen.findByText('系统响应超时,请稍候尝试')
  expect(screen.queryByRole('button', { name: '重试' })).not.toBeNull()
})

it.each([
  ['/account/message?page=2', '/login?redirect=%2Faccount%2Fmessage%3Fpage%3D2'],
  ['/no/such/page', '/login'],
  ['/', '/login'],
])('sends an anonymous visitor of %s to %s, and keeps no console around it', async (address, expected) => {
  const { router } = await openAt(address, { code: 2003, msg: 'x' })
  await screen.findByRole('tab', { name: '账号登录', selected: true })
  expect(router.state.location.pathname + router.state.location.search).toBe(expected)
  await waitFor(() => expect(document.title).toMatch(/^登录 - /))
  expect(screen.queryByRole('navigation', { name: '主菜单' })).toBeNull()
})

it('goes from one public page to another without a new document', async () => {
  const { router } = await openAt('/login', { code: 2003, msg: 'x' })
  await userEvent.click(await screen.findByRole('link', { name: '忘记密码' }))
  await screen.findByRole('heading', { name: '找回密码' })
  expect(router.state.location.pathname).toBe('/reset')
  await userEvent.click(screen.getByRole('link', { name: '返回登录' }))
  await userEvent.click(await screen.findByRole('link', { name: '注册账号' }))
  await screen.findByRole('tab', { name: '手机号注册' })
  await waitFor(() => expect(document.title).toMatch(/^注册 - /))
})

it.each(['/login', '/login/index', '/'])('sends a signed-in user from %s home', async (address) => {
  const { router } = await openAt(address, as())
  await screen.findByRole('navigation', { name: '主菜单' })
  expect(router.state.location.pathname).toBe('/dashboard')
})

it('draws the login page before the session is known, and leaves it once there is one', async () => {
  let answer = (_session: ReturnType<typeof as>) => {}
  const { router } = await openAt('/login', () => new Promise((resolve) => (answer = resolve)))
  await screen.findByRole('tab', { name: '账号登录' })
  await act(async () => answer(as()))
  await screen.findByRole('navigation', { name: '主菜单' })
  expect(router.state.location.pathname).toBe('/dashboard')
})

it('waits for the session where there probably is one', async () => {
  localStorage.setItem('netloom.signed-in', '1')
  await openAt('/login', () => new Promise(() => {}))
  await screen.findByText('正在获取授权')
  expect(screen.queryByRole('tab')).toBeNull()
})

it('shows public pages where the session could not be read', async () => {
  await openAt('/login', failing(new TypeError('Failed to fetch')))
  await screen.findByRole('button', { name: '登录' })
})

it('offers to try again where a chunk is missing, even before the layout has come', async () => {
  let onPageAsked = () => {}
  const pageAsked = new Promise<void>((resolve) => (onPageAsked = resolve))
  vi.doMock('#pages/legal/clause-page.tsx', () => {
    onPageAsked()
    return Promise.reject(new Error('missing'))
  })
  vi.doMock('#app/layouts/second-layout.tsx', async (original) => {
    await pageAsked
    return original()
  })
  try {
    await openAt('/clause', as())
    await screen.findByText('页面加载失败')
    await screen.findByRole('link', { name: '控制台' }) // inside its layout
  } finally {
    vi.doUnmock('#pages/legal/clause-page.tsx')
    vi.doUnmock('#app/layouts/second-layout.tsx')
  }
})

it('moves the focus to the new page, and has a skip link', async () => {
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

it.each([
  ['view=graph', 1],
  ['view=table', 0],
])(
  'fetches the chunks of the drawing along with the page of a network, not behind it (%s: %i)',
  async (query, times) => {
    const load = vi.fn<() => Promise<object>>(() => Promise.resolve({}))
    const chunk = { load, useModule: () => null }
    vi.doMock('#pages/network/topology/load-topology.ts', () => ({
      topologyChunk: chunk,
      drawingChunk: chunk,
    }))
    const { api } = await openAt(`/network/detail?network_number=N1&${query}`, () => new Promise(() => {}))
    await import('#pages/network/detail/preload-detail.ts')
    vi.doUnmock('#pages/network/topology/load-topology.ts')
    await waitFor(() => expect(load).toHaveBeenCalledTimes(times))
    expect(api.calls.map(({ path }) => path)).not.toContain('network/info') // the session is not known yet
  },
)
