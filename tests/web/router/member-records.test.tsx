// The page loads these lazily; no test waits for the import.
import '#pages/router/members/record-dialogs.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import { dateText } from '#lib/format/format-time.ts'
import { createMember } from './fixtures.ts'
import { row } from './list-rows.ts'
import { type Handlers, openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const NAME = 'li.na@qiming'
const DAY_MS = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T02:00:00Z') })
  return () => vi.useRealTimers()
})

async function openDrawer(handlers: Handlers, over: Partial<UserInfo> = {}) {
  const user = userEvent.setup()
  const page = openPage(
    '/router/lists?type=2',
    { 'router/lists': { data: [createMember(NAME)], count: 1 }, ...handlers },
    over,
  )
  await user.click((await row(NAME)).getByRole('button', { name: `详情 ${NAME}` }))
  const drawer = within(await screen.findByRole('dialog', { name: NAME }))
  const open = async (label: string) => {
    await user.click(drawer.getByRole('button', { name: `${label} ${NAME}` }))
    return within(await screen.findByRole('dialog', { name: `${label} ${NAME}` }))
  }
  return { ...page, user, drawer, open }
}

const LOGIN = {
  router_name: NAME,
  ip: '203.0.113.7',
  os: 'ios',
  version: '1.4',
  sys_brand: 'Apple',
  sys_model: 'iPhone',
  sys_version: '19',
  success: 0,
  reason: '密码错误',
  create_time: 1_000,
}
const DIAL = {
  router_name: NAME,
  network_number: 'N1',
  link_router_name: 'NL-1',
  pop_name: '华东资源',
  area: '上海',
  orig: '203.0.113.9',
  vpn_ip: '100.64.16.9',
  start_time: 1_000,
  end_time: null,
  online_time: 90,
}

it('shows the sign-ins of a member, of the last 7 days, with a search of their own', async () => {
  const { api, user, open } = await openDrawer({ 'logs/software_login': { data: [LOGIN], count: 1 } })
  const dialog = await open('登录记录')
  await dialog.findByText('203.0.113.7')
  expect(dialog.queryByText('失败 密码错误')).not.toBeNull()
  expect(dialog.queryByText('Apple iPhone 19')).not.toBeNull()
  const now = Date.now()
  expect(api.last('logs/software_login')?.input).toEqual({
    router_name: NAME,
    page: '1',
    limit: '10',
    search: '',
    start_time: dateText(now - 6 * DAY_MS),
    end_time: dateText(now),
  })
  await user.type(dialog.getByRole('textbox', { name: '搜索 IP' }), '203')
  await waitFor(() => expect(api.last('logs/software_login')?.input['search']).toBe('203'))
})

it('shows dials p2p and pop, each with a search of its own', async () => {
  const { api, user, open } = await openDrawer({ 'logs/online': { data: [DIAL], count: 1 } })
  const dialog = await open('拨号记录')
  await dialog.findByText('NL-1')
  expect(dialog.queryByText('进行中')).not.toBeNull()
  await user.type(dialog.getByRole('textbox', { name: '搜索组网编号或中心点' }), 'N1')
  await waitFor(() => expect(api.last('logs/online')?.input).toMatchObject({ mode: 'p2p', search: 'N1' }))
  await user.click(dialog.getByRole('tab', { name: 'POP' }))
  await dialog.findByText('华东资源')
  expect(api.last('logs/online')?.input).toMatchObject({ mode: 'pop', search: '' })
})

it('shows what a member has used, by network, of the last 7 days', async () => {
  const row = { name: '生产网', download_flow_sum: 12_000_000, upload_flow_sum: 1_500_000 }
  const { api, user, open } = await openDrawer({ 'router/usage': { data: [row], count: 1 } })
  const dialog = await open('用量')
  await dialog.findByText('生产网')
  expect(dialog.queryByText('96.00 Mb')).not.toBeNull()
  expect(dialog.queryByText('12.00 Mb')).not.toBeNull()
  const now = Date.now()
  expect(api.last('router/usage')?.input).toMatchObject({
    router_name: NAME,
    start_time: dateText(now - 6 * DAY_MS),
    end_time: dateText(now),
  })
  await user.type(dialog.getByRole('textbox', { name: '搜索组网' }), '生产')
  await waitFor(() => expect(api.last('router/usage')?.input['search']).toBe('生产'))
})

it('usage without rows', async () => {
  const { open } = await openDrawer({ 'router/usage': { data: [], count: 0 } })
  const dialog = await open('用量')
  expect(await dialog.findByText(/暂无数据|好像没有什么东西哦/)).not.toBeNull()
})

it('a sub-account sees dials, but no sign-ins', async () => {
  const { drawer } = await openDrawer({}, { ram: 1, flags: ['router:edit'] })
  expect(drawer.queryByRole('button', { name: `拨号记录 ${NAME}` })).not.toBeNull()
  expect(drawer.queryByRole('button', { name: `登录记录 ${NAME}` })).toBeNull()
})
