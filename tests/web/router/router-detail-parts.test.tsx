import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { LinkState } from '#contract/kernel/protocol.ts'
import { unsupportedText } from '#domain/network/compile/device-settings.ts'
import { createLink, createNetwork, createRouter, states } from './fixtures.ts'
import { emitFrame } from '../lib/fake-live.ts'
import { openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
vi.mock('#ui/chart/chart-canvas.tsx', () => ({ default: () => null }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const HOUR = 3_600_000

async function open(over: Parameters<typeof createRouter>[1] = {}, handlers: Parameters<typeof openPage>[1] = {}) {
  const page = openPage('/router/detail?router_name=NL-1', {
    'router/info': { data: createRouter('NL-1', over) },
    ...handlers,
  })
  await screen.findByRole('heading', { level: 2, name: '链路' })
  return page
}
const panel = (name: string) => within(screen.getByRole('region', { name }))
const facts = () => screen.getByRole('heading', { level: 1 }).closest('header')?.querySelector('.nl-page-facts')
const rowsOf = (label: string) =>
  within(screen.getByRole('table', { name: label }))
    .getAllByRole('row')
    .slice(1)

it('says of an offline device since when it was not seen, and why; of its configuration, what it has not fetched', async () => {
  const { presence, config } = states({ state: 'offline', config: 'queued' })
  await open({
    presence: { ...presence, since: 17_000, last_seen: 2_000, reason: '75 秒未收到心跳' },
    config: { ...config, version: 3, applied_version: null },
  })
  expect(facts()?.textContent).toMatch(/离线自 1970-01-01 08:00:02，已持续 .*75 秒未收到心跳排队目标 v3 · 设备尚未取得/)
})

it('says what is wrong with the certificate of its tunnels', async () => {
  await open({ certificate: '证书申请无效：签名不符' })
  expect(facts()?.textContent).toMatch(/证书申请无效：签名不符$/)
})

it('shows each fact of the device once', async () => {
  await open({ router_model: 'XR-200', remote_ip: '203.0.113.7' })
  for (const text of ['NL-1', '203.0.113.7', '1.4.2', '52:54:00:aa:10:01', '在线', '已生效'])
    expect([text, screen.getAllByText(text, { ignore: 'h1, title' }).length]).toEqual([text, 1])
  expect(panel('设备').queryByText('公网 IP')).not.toBeNull()
})

it('lists links with the other end, how long, latency and both addresses', async () => {
  const link = createLink('NL-C', {
    peer: { router_name: 'NL-C', note: '上海总部', member_type: 'center' },
    since: Date.now() - 2 * HOUR,
  })
  await open({ link: [link], link_count: counts(1), paths: { up: 1, unknown: 0, total: 1, single_center: 0 } })
  const [row] = rowsOf('链路')
  expect([...row!.children].map((cell) => cell.textContent)).toEqual([
    expect.stringContaining('上海总部NL-C'),
    '连通',
    '2 小时',
    '8.5 ms',
    '本端 100.64.0.3对端 100.64.0.1',
  ])
  expect(within(row!).getByRole('link', { name: '上海总部' }).getAttribute('href')).toBe(
    '/router/detail?router_name=NL-C',
  )
  expect(panel('链路').queryByText('1/1')).not.toBeNull()
})

it('says 需要升级 of a device that is too old for the service', async () => {
  const config = { ...createRouter('NL-1').config, state: 'failed', reason: unsupportedText(['protocol']) } as const
  await open({ config })
  expect(facts()?.textContent).toContain('需要升级：设备版本过旧')
})

it('lists links to POP nodes by their area, which has no page', async () => {
  const link = createLink('POP-1', { kind: 'pop', peer: { router_name: 'POP-1', note: '上海', member_type: 'pop' } })
  await open({ link: [link], link_count: counts(1) })
  const [row] = rowsOf('链路')
  expect([...row!.children].map((cell) => cell.textContent)).toEqual([
    expect.stringMatching(/^上海POP-1.*POP节点/),
    '连通',
    expect.any(String),
    '8.5 ms',
    '本端 100.64.0.3对端 100.64.0.1',
  ])
  expect(within(row!).queryByRole('link')).toBeNull()
})

const counts = (up: number, over: Partial<Record<LinkState, number>> = {}) => ({
  up,
  down: 0,
  one_sided: 0,
  unknown: 0,
  never: 0,
  ...over,
})

it('names the network of each link where there are several, says 单中心, and pages', async () => {
  const links = Array.from({ length: 12 }, (_, n) => createLink(`NL-C${n}`, { network_name: `网 ${n}` }))
  await open({
    network: [createNetwork('N1', '网 0'), createNetwork('N2', '网 1')],
    link: links,
    link_count: counts(11, { down: 1, never: 2 }),
    paths: { up: 11, unknown: 0, total: 12, single_center: 1 },
  })
  expect(rowsOf('链路')).toHaveLength(10)
  expect(within(rowsOf('链路')[1]!).getByRole('link', { name: '网 1' })).not.toBeNull()
  expect(panel('链路').queryByText('11/12 单中心')).not.toBeNull()
  expect(panel('链路').queryByText('未开通 2')).not.toBeNull()
  expect(panel('链路').queryByText(/共 14 条，仅列出最需要关注的/)).not.toBeNull()
  await userEvent.click(panel('链路').getByRole('button', { name: '第 2 页' }))
  expect(rowsOf('链路')).toHaveLength(2)
  await userEvent.selectOptions(panel('链路').getByRole('combobox', { name: '每页条数' }), '20')
  expect(rowsOf('链路')).toHaveLength(12)
})

it('the badge of the links counts those that its table lists, and not the paths to centres alone', async () => {
  const link_count = counts(2, { one_sided: 1, unknown: 1 })
  const links = Array.from({ length: 4 }, (_, n) => createLink(`NL-C${n}`))
  await open({ link: links, link_count, paths: { up: 2, unknown: 0, total: 2, single_center: 0 } })
  expect(rowsOf('链路')).toHaveLength(4)
  expect(panel('链路').queryByText('2/4（未知 1）')).not.toBeNull()
})

it('says whose links are not known', async () => {
  const { api } = await open({ link_missing: ['N1'] })
  expect(panel('链路').queryByText('组网“华东生产网”的链路状态暂不可用，未列出。')).not.toBeNull()
  expect(panel('链路').queryByText('暂无链路')).toBeNull()
  api.set('router/info', { data: createRouter('NL-1') })
  await userEvent.click(panel('链路').getByRole('button', { name: '重试' }))
  await panel('链路').findByText('暂无链路')
})

it('reads links again when the health of one of its networks changed, not of others', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const { api } = await open()
  const reads = () => api.paths().filter((path) => path === 'router/info').length
  const before = reads()
  const health = { network_number: 'N9', health: {} as never }
  await emitFrame('account', { type: 'networks', data: [health] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reads()).toBe(before)
  await emitFrame('account', { type: 'networks', data: [health, { ...health, network_number: 'N1' }] })
  await emitFrame('account', { type: 'networks', data: [{ ...health, network_number: 'N1' }] })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reads()).toBe(before + 1)
})

it('up to three networks are a list, more of them take turns, unless motion is not wanted', async () => {
  const networks = ['一', '二', '三', '四'].map((name, n) => createNetwork(`N${n}`, name))
  await open({ network: networks.slice(0, 3) })
  expect(panel('所属组网').getAllByRole('listitem')).toHaveLength(3)
  expect(panel('所属组网').queryByRole('group')).toBeNull()
})

it.each([
  [false, 'a carousel'],
  [true, 'a list'],
])('four networks with reduced motion %s are %s', async (isReduced) => {
  const media = matchMedia('')
  vi.stubGlobal('matchMedia', (query: string) => ({ ...media, matches: isReduced && query.includes('motion') }))
  await open({ network: ['一', '二', '三', '四'].map((name, n) => createNetwork(`N${n}`, name)) })
  expect(panel('所属组网').queryAllByRole('listitem')).toHaveLength(isReduced ? 4 : 0)
  expect(panel('所属组网').queryByRole('group', { name: '所属组网' }) === null).toBe(isReduced)
})

const events = (live: 0 | 1 = 1) => {
  const to = Date.parse('2026-01-15T02:30:00Z')
  return {
    live,
    transitions: live === 0 ? [] : [{ from: 'offline' as const, to: 'online' as const, at: to - HOUR, reason: '' }],
    bar: { from: to - 24 * HOUR, to, start: live === 0 ? null : ('offline' as const) },
  }
}

it('shows a day of states and the last changes, and reads them again when the account’s hub says one', async () => {
  const { api } = await open({}, { 'router/events': { data: events() } })
  const bar = await panel('24 小时状态').findByRole('img')
  expect(bar.getAttribute('aria-label')).toBe('24 小时状态：离线 23 小时，在线 1 小时')
  expect(panel('24 小时状态').getAllByRole('listitem')).toHaveLength(1)
  const reads = () => api.paths().filter((path) => path === 'router/events').length
  const before = reads()
  const change = { ...states(), router_name: 'NL-2' }
  await emitFrame('account', { type: 'routers', data: [change] })
  expect(reads()).toBe(before)
  await emitFrame('account', { type: 'routers', data: [{ ...change, router_name: 'NL-1' }] })
  await waitFor(() => expect(reads()).toBe(before + 1))
})

it('says where the history is not to be had, and asks again on request', async () => {
  const { api } = await open({}, { 'router/events': { data: events(0) } })
  await panel('24 小时状态').findByText('状态历史暂不可用')
  api.set('router/events', { data: events() })
  await userEvent.click(panel('24 小时状态').getByRole('button', { name: '重试' }))
  await panel('24 小时状态').findByRole('img')
})
