import { render, screen, waitFor, within } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { MemoryRouter } from 'react-router'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import type { UserInfo } from '../../../worker/contract/account.ts'
import { DashboardPage } from '../../../web/features/dashboard/pages/dashboard-page.tsx'
import { adoptSession } from '../../../web/lib/session.ts'
import { createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'

const network = { network_number: 'N1', network_name: '总部互联', network_status: 1, member_count: 8, online_count: 7 }
const FULL = {
  'announcements/lists': { data: [{ id: 1, title: '维护通知', tag: '维护', release_time: 0 }], count: 1 },
  'router/quantity': {
    data: { hardware: 41, hardware_online: 40, software: 5, software_online: 0, software_max: 50, sign: 's' },
  },
  'router/lists': { data: [], count: 0 },
  'network/lists': { data: [network], count: 1 },
  'network/config': {
    data: {
      network_router_use: 120,
      network_router_count: 100,
      network_level: 2,
      network_center_count: 2,
      dns_quantity: 2,
    },
  },
}

function open(over: Partial<UserInfo> = {}, handlers: Parameters<typeof fakeApi>[0] = {}) {
  adoptSession(createSession(over))
  const api = fakeApi({ ...FULL, ...handlers })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map() }}>
      <MemoryRouter>{children}</MemoryRouter>
    </SWRConfig>
  )
  render(<DashboardPage />, { wrapper })
  return api
}

const card = async (title: string) => within(await screen.findByRole('region', { name: title }))

beforeEach(() => void history.replaceState(null, '', '/dashboard'))

it('starts all reads in parallel', async () => {
  const api = open()
  await waitFor(() => expect(new Set(api.paths())).toEqual(new Set(Object.keys(FULL))))
})

it('shows the user, and that it is a sub-account', async () => {
  open({ nickname: '分支管理', ram: 1, user_phone: '', user_email: 'b***@x.cn' })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('分支管理子账号')
  expect(screen.queryByText('b***@x.cn')).not.toBeNull()
  expect(screen.queryByText(/138/)).toBeNull()
})

it.each([
  ['智能组网', '/network/lists'],
  ['成员管理', '/router/lists'],
  ['我的消息', '/account/message'],
  ['客服工单', '/ticket/lists'],
])('has the tile %s to %s', (label, to) => {
  open()
  const tiles = within(screen.getByRole('navigation', { name: '快捷入口' }))
  expect(tiles.getByRole('link', { name: new RegExp(label) }).getAttribute('href')).toBe(to)
})

it('shows real numbers, each with the page they come from', async () => {
  open()
  const members = await card('成员')
  expect((await members.findByRole('meter', { name: '硬件成员在线' })).getAttribute('aria-valuenow')).toBe('40')
  expect(members.queryByText('离线 1 台')).not.toBeNull()
  expect(members.getByRole('link', { name: '成员 查看更多' }).getAttribute('href')).toBe('/router/lists')
  const quota = await card('席位')
  await quota.findByText('已超出 20 个，部分组网停用')
  const networks = await card('智能组网')
  expect((await networks.findByRole('link', { name: '总部互联' })).getAttribute('href')).toBe(
    '/network/detail?network_number=N1',
  )
})

it('keeps the rest when one reading fails, and offers to try again', async () => {
  open({}, { 'network/config': { code: 500, msg: '系统异常,请稍候尝试!' } })
  const strip = await screen.findByText(/^部分内容加载失败：系统异常,请稍候尝试!/)
  expect(strip.closest('[role="alert"]')?.querySelector('button')?.textContent).toBe('重试')
  expect((await card('席位')).queryByRole('button')).toBeNull()
  const networks = await card('智能组网')
  expect((await networks.findByRole('link', { name: '总部互联' })).textContent).toBe('总部互联')
})
