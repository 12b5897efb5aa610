import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { SWRConfig } from 'swr'
import { beforeEach, describe, expect, it } from 'vitest'
import { Bell } from '#app/top-bar/bell.tsx'
import { adoptSession } from '#lib/session/session.ts'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi, noOtherTabs } from '../lib/fake-api.ts'

const message = (message_id: number, status: 0 | 1, over: object = {}) => ({
  message_id,
  title: `消息${message_id}`,
  create_time: Date.now() - message_id * 60_000,
  type: '系统',
  status,
  network_number: '',
  network_name: '',
  router_name: '',
  router_note: '',
  ticket_number: '',
  ...over,
})

function open(rows: readonly ReturnType<typeof message>[], unread: number) {
  adoptSession(createSession({ message_count: unread }))
  const api = fakeApi({
    'message/lists': { data: rows, count: rows.length, capped: 0, total: rows.length, unread, newest: 7 },
    'message/info': { data: { ...message(1, 1), content: '内容' } },
    'message/update_message': { data: { done: 1, left: 0 } },
  } as never)
  const routes = [
    { path: '/', element: <Bell /> },
    { path: '*', element: <p>另一页</p> },
  ]
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <RouterProvider router={createMemoryRouter(routes)} />
    </SWRConfig>,
  )
  return api
}

const user = userEvent.setup()
const bell = () => screen.getByRole('button', { name: /^我的消息/ })
const popup = async () => within(await screen.findByRole('dialog', { name: '最新消息' }))

beforeEach(noOtherTabs)

describe('account 2 · the bell', () => {
  it('shows the newest five in place, with what they are about, and leads to all', async () => {
    const alert = { type: '告警', network_number: 'N1', network_name: '全国门店' }
    open([message(1, 0, alert), ...[2, 3, 4, 5, 6].map((id) => message(id, 1))], 1)
    expect(bell().getAttribute('aria-expanded')).toBe('false')
    expect(bell().getAttribute('title')).toBe('我的消息，1 条未读')
    fireEvent.click(bell())
    const list = await popup()
    await list.findByText('消息1')
    expect(list.getAllByRole('listitem')).toHaveLength(5)
    expect(list.getByRole('link', { name: '全国门店' }).getAttribute('href')).toMatch(/network_number=N1/)
    fireEvent.click(list.getByRole('link', { name: '查看全部' }))
    expect(await screen.findByText('另一页')).not.toBeNull()
  })

  it('folds messages about one matter into its newest, and marks them all as read', async () => {
    const store = (id: number, status: 0 | 1, title: string, router_name = 'NL1') =>
      message(id, status, { type: '告警', title, router_name })
    const api = open(
      [
        store(1, 1, '已恢复：成员离线：门店1'),
        store(2, 0, '成员离线：门店2', 'NL2'),
        store(3, 0, '成员离线：门店1'),
        store(4, 0, '已恢复：成员离线：门店1'),
        store(5, 0, '配置异常：门店1'),
        message(6, 0, { title: '维护通知' }),
        message(7, 0, { title: '维护通知' }),
      ],
      6,
    )
    fireEvent.click(bell())
    const list = await popup()
    expect(await list.findByText('同一事项的 3 条消息')).not.toBeNull()
    expect(list.getAllByRole('listitem')).toHaveLength(5)
    expect(list.getAllByText(/^同一事项的/)).toHaveLength(1)
    fireEvent.click(list.getByRole('button', { name: '标为已读 已恢复：成员离线：门店1' }))
    await waitFor(() => expect(api.last('message/update_message')?.input).toEqual({ message_id: [3, 4] }))
  })

  it('marks one or all as read without leaving the page', async () => {
    const api = open([message(1, 0), message(2, 0), message(3, 1)], 2)
    fireEvent.click(bell())
    const list = await popup()
    fireEvent.click(await list.findByRole('button', { name: '标为已读 消息2' }))
    await waitFor(() => expect(api.last('message/update_message')?.input).toEqual({ message_id: [2] }))
    expect(list.queryByRole('button', { name: '标为已读 消息3' })).toBeNull()
    const all = list.getByRole('button', { name: '全部标为已读' })
    await waitFor(() => expect(all.hasAttribute('disabled')).toBe(false))
    fireEvent.click(all)
    await waitFor(() => expect(api.last('message/update_message')?.input).toEqual({ type: 'all', newest: 7 }))
    expect(screen.queryByRole('dialog')).not.toBeNull()
  })

  it('opens a message in its dialog, and gives the focus back to the bell', async () => {
    const api = open([message(1, 0)], 1)
    bell().focus()
    fireEvent.click(bell())
    fireEvent.click(await (await popup()).findByRole('button', { name: /^未读：\s*消息1$/ }))
    const dialog = within(await screen.findByRole('dialog', { name: '消息1' }))
    await dialog.findByText('内容')
    expect(api.last('message/info')?.input).toEqual({ message_id: '1' })
    fireEvent.click(dialog.getAllByRole('button', { name: '关闭' })[0]!)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(bell())
  })

  it('opens by keyboard, keeps Tab inside, and gives the focus back on Escape', async () => {
    open([message(1, 0)], 1)
    bell().focus()
    await user.keyboard('{Enter}')
    const list = await popup()
    await list.findByText('消息1')
    for (let n = 0; n < 4; n++) await user.tab()
    expect(document.activeElement?.textContent).toBe('查看全部')
    await user.tab()
    expect(document.activeElement?.textContent).toBe('全部标为已读')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(bell())
  })

  it('says that there is none, and closes by a second press', async () => {
    open([], 0)
    fireEvent.click(bell())
    const list = await popup()
    await list.findByText('暂无消息')
    expect(list.queryByRole('button', { name: '全部标为已读' })).toBeNull()
    fireEvent.click(bell())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
