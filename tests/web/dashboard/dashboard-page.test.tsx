import { render, screen, waitFor, within } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { MemoryRouter } from 'react-router'
import type { ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import type { UserInfo } from '../../../worker/contract/account.ts'
import { DashboardPage } from '../../../web/features/dashboard/pages/dashboard-page.tsx'
import { adoptSession } from '../../../web/lib/session.ts'
import { NO_STATES, createHealth, createSession } from '../lib/fixtures.ts'
import { fakeApi } from '../lib/fake-api.ts'

const health = createHealth({
  centers: { up: 2, total: 2 },
  members: { ...NO_STATES, online: 7, flapping: 1 },
  links: { up: 6, down: 0, one_sided: 0, unknown: 0, never: 0 },
  config: { applied: 8, total: 8 },
})
const network = (over: object = {}) => ({
  network_number: 'N1',
  network_name: '总部互联',
  network_status: 1,
  health: { ...health, ...over },
  availability: 1,
})
const overview = (over: object = {}) => ({
  data: {
    at: 1_800_000_000_000,
    live: 1,
    attention: { count: 0, rows: [] },
    members: {
      hardware: { ...NO_STATES, online: 20, flapping: 1, offline: 3, never: 17 },
      software: { ...NO_STATES, offline: 5 },
      software_max: 50,
    },
    networks: [network()],
    ...over,
  },
})
const FULL = {
  'announcements/lists': { data: [{ id: 1, title: '维护通知', tag: '维护', release_time: 0 }], count: 1 },
  'overview/info': overview(),
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
  expect((await members.findByRole('meter', { name: '硬件成员在线' })).getAttribute('aria-valuenow')).toBe('20')
  expect(members.getByRole('link', { name: '成员 查看更多' }).getAttribute('href')).toBe('/router/lists')
  const quota = await card('席位')
  await quota.findByText('已超出 20 个，部分组网停用')
  const networks = await card('智能组网')
  expect((await networks.findByRole('link', { name: '总部互联' })).getAttribute('href')).toBe(
    '/network/detail?network_number=N1',
  )
})

it('从未上线 and 抖动 are numbers of their own, each with the list of those members', async () => {
  open()
  const members = await card('成员')
  const links = await members.findAllByRole('link', { name: /^(抖动|离线|从未上线) / })
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['抖动 1', '/router/lists?type=1&state=flapping'],
    ['离线 3', '/router/lists?type=1&state=offline'],
    ['从未上线 17', '/router/lists?type=1&state=never'],
  ])
})

it('without hardware nothing is called 全部在线', async () => {
  const none = { hardware: NO_STATES, software: NO_STATES, software_max: 0 }
  open({}, { 'overview/info': overview({ members: none, networks: [] }) })
  const members = await card('成员')
  await members.findByText('暂无硬件成员')
  expect(members.queryByText('全部在线')).toBeNull()
})

it('a total outage is what needs attention, the networks first', async () => {
  const row = (kind: string, name: string, target: object, over: object = {}) => ({
    kind,
    level: 'bad',
    target: { type: 'network', network_number: null, router_name: null, center_router_name: null, ...target },
    name,
    cause: '两个中心点均离线',
    since: 1_800_000_000_000,
    until: null,
    folded: 0,
    ...over,
  })
  const rows = [
    row('network_down', '全国门店', { network_number: 'N9' }, { folded: 58 }),
    row('member_offline', '备用', { type: 'router', router_name: 'NL-9' }, { cause: '连接中断' }),
    row('service_ending', '带宽包', { type: 'service' }, { cause: '还有 20 天到期', since: null }),
  ]
  const down = network({ state: 'down', issues: 1, cause: '两个中心点均离线' })
  open({}, { 'overview/info': overview({ attention: { count: 3, rows }, networks: [down] }) })
  const attention = await card('需要关注')
  const links = await attention.findAllByRole('link', { name: /全国门店|备用|带宽包/ })
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['全国门店', '/network/detail?network_number=N9'],
    ['备用', '/router/detail?router_name=NL-9'],
    ['带宽包', '/account/service'],
  ])
  expect(attention.queryByText('两个中心点均离线')).not.toBeNull()
  expect(attention.queryByText(/全部正常/)).toBeNull()
  const networks = await card('智能组网')
  expect(networks.queryByText('中断')).not.toBeNull()
  expect(networks.queryByText('运行正常')).toBeNull()
})

it('says when all was well', async () => {
  open()
  await (await card('需要关注')).findByText(/全部正常 · 更新于/)
  expect((await card('智能组网')).queryByText('运行正常')).not.toBeNull()
})

it('keeps the rest when one reading fails, and offers to try again', async () => {
  open({}, { 'network/config': { code: 500, msg: '系统异常,请稍候尝试!' } })
  const strip = await screen.findByText(/^部分内容加载失败：系统异常,请稍候尝试!/)
  expect(strip.closest('[role="alert"]')?.querySelector('button')?.textContent).toBe('重试')
  expect((await card('席位')).queryByRole('button')).toBeNull()
  const networks = await card('智能组网')
  expect((await networks.findByRole('link', { name: '总部互联' })).textContent).toBe('总部互联')
})
