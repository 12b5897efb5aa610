import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { as, openAt, quietPage } from './open-at.tsx'

const user = userEvent.setup()
const menu = () => within(screen.getByRole('navigation', { name: '主菜单' }))
const openGroups = () =>
  menu()
    .getAllByRole('button', { expanded: true })
    .map(({ textContent }) => textContent)
const marked = () => menu().queryByRole('link', { current: 'page' })?.textContent

beforeEach(quietPage)

it('opens the group of the page only, and another in its place', async () => {
  const { router } = await openAt('/account/message', as())
  await screen.findByRole('heading', { name: '我的消息' })
  expect(openGroups()).toEqual(['用户中心'])
  expect(menu().queryByRole('link', { name: '成员列表' })).toBeNull()

  await user.click(menu().getByRole('button', { name: '成员管理' }))
  expect(openGroups()).toEqual(['成员管理'])
  expect(marked()).toBeUndefined() // its page is in a closed group, whose name is highlighted
  await user.click(menu().getByRole('button', { name: '成员管理' }))
  expect(menu().queryAllByRole('button', { expanded: true })).toEqual([])

  await act(() => router.navigate('/ticket/lists'))
  await waitFor(() => expect(openGroups()).toEqual(['售后服务']))
})

it('keeps the open group on pages that are no group', async () => {
  const { router } = await openAt('/ticket/lists', as())
  await screen.findByRole('heading', { name: '客服工单' })
  await act(() => router.navigate('/monitor/setting'))
  await screen.findByRole('heading', { name: '监控告警' })
  expect(marked()).toBe('监控告警')
  expect(openGroups()).toEqual(['售后服务'])
})

it('marks the target while its chunk is on the way, shows its skeleton after 300 ms, and keeps the old page till then', async () => {
  let resolveChunk = () => {}
  const chunk = new Promise<void>((resolve) => (resolveChunk = resolve))
  vi.doMock('#pages/network/list/network-list-page.tsx', async () => {
    await chunk
    return { NetworkListPage: () => <h1>已到</h1> }
  })
  try {
    await openAt('/account/message', as())
    await screen.findByRole('heading', { name: '我的消息' })
    await user.click(menu().getByRole('button', { name: '智能组网' }))
    await user.click(menu().getByRole('link', { name: '组网列表' }))
    await waitFor(() => expect(marked()).toBe('组网列表'))
    expect(screen.queryByRole('heading', { name: '我的消息' })).not.toBeNull()

    await screen.findByRole('heading', { name: '组网列表' })
    expect(screen.queryByRole('heading', { name: '我的消息' })).toBeNull() // hidden
    expect(screen.getByRole('status', { name: '加载中' })).not.toBeNull()
    await act(async () => resolveChunk())
    await screen.findByRole('heading', { name: '已到' })
  } finally {
    vi.doUnmock('#pages/network/list/network-list-page.tsx')
  }
})

it('folded: groups are closed until pointed at, and every icon has a name', async () => {
  localStorage.setItem('netloom.sidebar', 'folded')
  await openAt('/account/message', as())
  await screen.findByRole('heading', { name: '我的消息' })
  expect(menu().queryAllByRole('button', { expanded: true })).toEqual([])
  expect(menu().queryByRole('link', { name: '概览' })).not.toBeNull()

  await user.hover(menu().getByRole('button', { name: '访问控制' }))
  expect(openGroups()).toEqual(['访问控制'])
  expect(menu().getByRole('list', { name: '访问控制' }).textContent).toBe('访问控制子账号角色')
  await user.unhover(menu().getByRole('button', { name: '访问控制' }))
  expect(menu().queryAllByRole('button', { expanded: true })).toEqual([])

  menu().getByRole('button', { name: '安全审计' }).focus()
  await user.keyboard('{Enter}')
  expect(openGroups()).toEqual(['安全审计'])
  await user.tab()
  expect(document.activeElement?.textContent).toBe('登录记录')
  await user.keyboard('{Escape}')
  expect(menu().queryAllByRole('button', { expanded: true })).toEqual([])
})
