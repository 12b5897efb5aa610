import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PoolDetailPage } from '#pages/bandwidth-pool/pool-detail-page.tsx'
import { PoolListPage } from '#pages/bandwidth-pool/pool-list-page.tsx'
import { SaasDetailPage } from '#pages/saas/saas-detail-page.tsx'
import { SaasListPage } from '#pages/saas/saas-list-page.tsx'
import { chooseAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'
import type { CanvasLine } from '#ui/chart/chart-canvas.tsx'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#ui/chart/chart-canvas.tsx', () => ({
  default: ({ lines }: { readonly lines: readonly CanvasLine[] }) => (
    <output aria-label="曲线">{lines.map(({ name, points }) => `${name}${points.length}`).join(' ')}</output>
  ),
}))

const NOW = Date.parse('2026-11-20T02:00:00Z')
const DAY = 86_400_000
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  return () => vi.useRealTimers()
})

const DEVICE = {
  router_name: 'NL1',
  note: '洛杉矶',
  note_revision: 0,
  group: '海外办公',
  online: 1,
  presence: { state: 'online', reason: '', since: NOW, last_seen: NOW },
  ip: ['203.0.113.9'],
  shared: 0,
  bandwidth: 50,
  max_bandwidth: 100,
  current_bandwidth: 50,
  share: 1,
  expire_date: NOW + DAY,
  temp_bandwidth: null,
  temp_start_date: null,
  temp_expire_date: null,
  pool_name: '',
}
const AWAY = { online: 0, presence: { state: 'offline', reason: '', since: NOW, last_seen: NOW } }
const LIST = {
  'saas/router': {
    data: [DEVICE, { ...DEVICE, ...AWAY, router_name: 'NL2', note: '上海店', group: '门店', share: 0 }],
  },
}
const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))

describe('directory 2 · SaaS devices', () => {
  it('stand under the names of their groups; only the shared edition may be edited', async () => {
    openPage(<SaasListPage />, '/saas/router', LIST)
    expect(await screen.findByRole('heading', { name: '海外办公（1）' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: '门店（1）' })).toBeTruthy()
    for (const text of ['在线', '共享版', '2026-11-21']) expect(row('洛杉矶').getByText(text)).toBeTruthy()
    expect(row('洛杉矶').getByText('50 Mbs', { selector: 'td' })).toBeTruthy()
    expect(row('洛杉矶').getByRole('link').getAttribute('href')).toBe('/saas/detail?router_name=NL1')
    for (const text of [/^离线/, '标准版']) expect(row('上海店').getByText(text)).toBeTruthy()
    await userEvent.click(row('上海店').getByRole('button', { name: /的更多操作$/ }))
    const item = await screen.findByRole('menuitem', { name: /^修改带宽/ })
    expect(item.getAttribute('aria-disabled')).toBe('true')
  })

  it('are counted and filtered by state and by the end of their service', async () => {
    const over = { ...DEVICE, router_name: 'NL3', note: '旧办公室', expire_date: NOW - 2 * DAY }
    openPage(<SaasListPage />, '/saas/router', { 'saas/router': { data: [...LIST['saas/router'].data, over] } })
    const chips = within(await screen.findByRole('group', { name: '设备状态' }))
    await chips.findByText('共 3')
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      '共 3',
      '在线 2',
      '离线 1',
      '即将到期 2',
      '已过期 1',
    ])
    expect(row('洛杉矶').getByText('还有 1 天').className).toContain('nl-expiry-urgent')
    expect(row('旧办公室').getByText('已过期').className).toContain('nl-expiry-past')
    expect(row('旧办公室').getByText('50 Mbs · 已过期')).toBeTruthy() // on a phone
    await userEvent.click(chips.getByRole('button', { name: '已过期 1' }))
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(['海外办公（1）'])
    expect(row('旧办公室')).toBeTruthy()
    await userEvent.click(chips.getByRole('button', { name: '离线 1' }))
    expect(screen.getAllByRole('heading', { level: 2 }).map((one) => one.textContent)).toEqual(['门店（1）'])
  })

  it('take a bandwidth above 0 and at most the maximum, of those that are offered or another', async () => {
    const { api } = openPage(<SaasListPage />, '/saas/router', {
      ...LIST,
      'saas/bandwidth': { data: null, msg: '修改成功' },
    })
    await screen.findByRole('heading', { name: '海外办公（1）' })
    await chooseAction(row('洛杉矶'), '修改带宽')
    expect(await screen.findByRole('dialog', { name: '修改带宽 · 洛杉矶' })).toBeTruthy()
    const field = await screen.findByRole('textbox', { name: /^带宽/ })
    const submit = screen.getByRole('button', { name: '保存' })
    for (const [typed, sentence] of [
      ['0', '带宽不能小于等于0 Mbs'],
      ['101', '带宽不能大于最大值：100 Mbs'],
      ['', '请输入带宽'],
      ['1.5', '带宽必须为整数 Mbs'], // never 15
      ['50兆', '带宽必须为整数 Mbs'],
    ] as const) {
      await userEvent.clear(field)
      if (typed !== '') await userEvent.type(field, typed)
      await userEvent.click(submit)
      expect(await screen.findByText(sentence)).toBeTruthy()
    }
    expect(api.last('saas/bandwidth')).toBeUndefined()
    const offered = within(screen.getByRole('group', { name: '常用带宽' })).getAllByRole('button')
    expect(offered.map((button) => button.textContent)).toEqual([1, 50, 100, 150, 200].map((mbps) => `${mbps} Mbps`))
    expect(screen.getByRole('button', { name: '150 Mbps' })).toHaveProperty('disabled', true)
    await userEvent.click(screen.getByRole('button', { name: '100 Mbps' }))
    await userEvent.click(submit)
    await waitFor(() => expect(api.last('saas/bandwidth')?.input).toEqual({ router_name: 'NL1', bandwidth: 100 }))
  })

  it('take a note of 24 characters', async () => {
    const { api } = openPage(<SaasListPage />, '/saas/router', { ...LIST, 'router/note': { msg: '修改成功' } })
    await screen.findByRole('heading', { name: '海外办公（1）' })
    await userEvent.click(row('洛杉矶').getByRole('button', { name: /^修改备注/ }))
    const field = await screen.findByRole('textbox', { name: '备注' })
    await userEvent.clear(field)
    await userEvent.type(field, '旧'.repeat(25))
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText('备注不能超过24个字符')
    await userEvent.clear(field)
    await userEvent.type(field, '旧金山')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('router/note')?.input).toMatchObject({ router_name: 'NL1', note: '旧金山' }))
  })
})

const INFO = {
  ...DEVICE,
  input: 1_000,
  out: 2_000,
  online_time: NOW - 60_000,
  analysis: 1,
  router_model: 'NL-R220',
  router_ipv4: '198.51.100.7',
  router_mac: '',
  version: '1',
  network: [{ network_number: '2600000011', network_name: '海外组网', network_member_count: 12 }],
  temp_bandwidth: 80,
  temp_start_date: NOW - DAY,
  temp_expire_date: NOW + DAY,
  current_bandwidth: 80,
}
const PRESENCE = {
  ip: '203.0.113.1',
  origin: '198.51.100.8',
  input: 10_000,
  out: 20_000,
  session_date: 90,
  online_time: NOW - 100_000,
  stop_time: NOW - 10_000,
}
const point = (minutes: number) => ({ time: NOW - minutes * 60_000, input: 1e6, out: 2e6 })
const DETAIL = {
  'saas/info': { data: INFO },
  'saas/connect': { data: [PRESENCE], count: 1 },
  'saas/traffic': { data: { step_ms: 300_000, points: [point(30), point(10), point(5)] } },
  'saas/app_log': { data: { step_ms: 300_000, series: [{ name: '飞书', points: [point(5)] }] }, uncounted: null },
  'saas/app_log_top': {
    data: [{ name: '飞书', input: 1, out: 2, total: 3, share: 100 }],
    uncounted: { input: 5_000, out: 0 },
  },
}

describe('directory 2 · one SaaS device', () => {
  const chartHeight = () =>
    screen.getByLabelText('曲线').closest<HTMLElement>('.nl-chart-area')?.style.getPropertyValue('--nl-chart-height')

  it('has its facts, its traffic, and what each analysis says', async () => {
    const { api } = openPage(<SaasDetailPage />, '/saas/detail?router_name=NL1', DETAIL)
    expect(await screen.findByRole('heading', { name: '洛杉矶' })).toBeTruthy()
    expect(screen.getByText('198.51.100.7')).toBeTruthy()
    expect(screen.getByRole('link', { name: '海外组网（12 个成员）' })).toBeTruthy()
    expect(screen.getByText('80 Mbs（2026-11-19 10:00 至 2026-11-21 10:00）')).toBeTruthy()
    expect((await screen.findByLabelText('曲线')).textContent).toBe('下行4 上行4')
    expect(chartHeight()).toBe('480px')
    await userEvent.click(screen.getByRole('tab', { name: '流量分析' }))
    await waitFor(() => expect(screen.getByLabelText('曲线').textContent).toBe('飞书2')) // a sample alone is drawn over its step
    expect(chartHeight()).toBe('540px')
    const hour = api.last('saas/app_log')?.input
    expect(Number(hour?.['end_date']) - Number(hour?.['start_date'])).toBe(3_600_000)
    const kinds = within(screen.getByRole('tablist', { name: '流量分析' })).getAllByRole('tab')
    expect(kinds.map((tab) => tab.textContent)).toEqual(['应用流量', '应用占比', '源地址流量', '源地址占比'])
    await userEvent.click(screen.getByRole('tab', { name: '应用占比' }))
    const shares = await screen.findByRole('list', { name: '应用占比' })
    expect(shares.textContent).toContain('飞书100.00%')
    expect(screen.getByText('未统计：上行 5.00 kB，下行 0.00 B（接口计数与以上合计之差）')).toBeTruthy()
    const asked = api.last('saas/app_log_top')?.input
    expect(Number(asked?.['end_date']) - Number(asked?.['start_date'])).toBe(6 * 3_600_000)
  })

  it('asks again within half a minute while there is no traffic, and then at the pace of its slots', async () => {
    const { pass } = holdLongTimers(1_000)
    const none = { data: { step_ms: 300_000, points: [{ time: NOW, input: 0, out: 0 }] } }
    const { api } = openPage(<SaasDetailPage />, '/saas/detail?router_name=NL1', { ...DETAIL, 'saas/traffic': none })
    const reads = () => api.paths().filter((path) => path === 'saas/traffic').length
    await screen.findByLabelText('曲线')
    expect(reads()).toBe(1)
    api.set('saas/traffic', DETAIL['saas/traffic'])
    await pass(30_000)
    await waitFor(() => expect(reads()).toBe(2))
    expect((await screen.findByLabelText('曲线')).textContent).toBe('下行4 上行4')
    await pass(60_000)
    expect(reads()).toBe(2)
  })

  it('lists its dial records, and searches them', async () => {
    const { api } = openPage(<SaasDetailPage />, '/saas/detail?router_name=NL1', DETAIL)
    const line = within(await screen.findByRole('row', { name: /203\.0\.113\.1/ }))
    for (const text of ['198.51.100.8', '10.00 kB', '20.00 kB', '1 分 30 秒', '2026-11-20 09:58:20'])
      expect(line.getByText(text)).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: '搜索IP或来源' }), '198')
    await waitFor(() => expect(api.last('saas/connect')?.input).toMatchObject({ search: '198', page: '1' }))
  })

  it('goes back to the list without a name', async () => {
    const { router } = openPage(<SaasDetailPage />, '/saas/detail', DETAIL)
    await waitFor(() => expect(router.state.location.pathname).toBe('/saas/router'))
  })

  it('an unknown device goes back with its sentence', async () => {
    const missing = { 'saas/info': { code: 204, msg: 'SaaS设备不存在或已被移除' } }
    const { router } = openPage(<SaasDetailPage />, '/saas/detail?router_name=NL9', missing)
    expect(await screen.findByText('SaaS设备不存在或已被移除')).toBeTruthy()
    await waitFor(() => expect(router.state.location.pathname).toBe('/saas/router'))
  })

  it('says that more than 180 days cannot be asked for', async () => {
    openPage(<SaasDetailPage />, '/saas/detail?router_name=NL1', DETAIL)
    const start = await screen.findByLabelText('开始时间')
    await userEvent.clear(start)
    await userEvent.type(start, '2026-01-01 00:00')
    await userEvent.click(screen.getByRole('button', { name: '查询' }))
    const range = within(screen.getByRole('group', { name: '时间范围' }))
    expect((await range.findByRole('alert')).textContent).toBe('最多查询最近180天')
  })
})

describe('directory 2 · one bandwidth pool', () => {
  const device = { ...DEVICE, export: '美国' }
  const POOL = {
    'bandwidth_pool/info': { data: { id: 7, name: '海外池', max: 80, total: 1 } },
    'bandwidth_pool/router': { data: [{ ...device, max_bandwidth: 80 }], count: 1 },
    'address/country': { data: [] },
  }
  const opened = (over: Parameters<typeof openPage>[2] = {}) =>
    openPage(<PoolDetailPage />, '/saas/bandwidth_pool_detail?id=7', { ...POOL, ...over })

  it('lists its devices by ten, of one country of their exit', async () => {
    const places = [
      { code: 'US', CNName: '美国' },
      { code: 'JP', CNName: '日本' },
    ]
    const { api } = opened({ 'address/country': { data: places } })
    await screen.findByText('最大带宽 80 Mbs，共 1 台设备共享')
    for (const text of ['50 Mbs', '美国', '2026-11-21']) expect(row('洛杉矶').getByText(text)).toBeTruthy()
    expect(api.last('bandwidth_pool/router')?.input).toMatchObject({ pool_id: '7', limit: '10', country: '' })
    await userEvent.click(screen.getByRole('button', { name: '日本' }))
    await waitFor(() => expect(api.last('bandwidth_pool/router')?.input).toMatchObject({ country: 'JP' }))
  })

  it('is one of a list with largest bandwidth and number of devices', async () => {
    const { api } = openPage(<PoolListPage />, '/saas/bandwidth_pool', {
      'bandwidth_pool/lists': { data: [{ id: 7, name: '海外池', max: 80, total: 3 }], count: 1 },
    })
    expect((await screen.findByRole('link', { name: '海外池' })).getAttribute('href')).toBe(
      '/saas/bandwidth_pool_detail?id=7',
    )
    for (const text of ['80 Mbs', '3']) expect(row('海外池').getByText(text)).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: '搜索带宽池名称' }), '海')
    await waitFor(() => expect(api.last('bandwidth_pool/lists')?.input).toMatchObject({ search: '海', limit: '10' }))
  })

  it('leads back to the list, and names a temporary bandwidth where the ordinary one is set', async () => {
    const faster = { ...device, max_bandwidth: 80, bandwidth: 50, current_bandwidth: 70 }
    opened({ 'bandwidth_pool/router': { data: [faster], count: 1 } })
    await userEvent.click(await screen.findByRole('button', { name: /修改带宽/ }))
    expect(await screen.findByText('1 至 80 Mbs；临时带宽 70 Mbs 生效中，结束后按这里的带宽')).toBeTruthy()
    expect(screen.getByRole('link', { name: '带宽池', hidden: true }).getAttribute('href')).toBe('/saas/bandwidth_pool')
  })

  it('an unknown pool goes back with its sentence', async () => {
    const { router } = opened({ 'bandwidth_pool/info': { code: 204, msg: '带宽池不存在或已被删除' } })
    expect(await screen.findByText('带宽池不存在或已被删除')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/saas/bandwidth_pool')
  })

  it('says of a device without bandwidth that it is off, as the list of devices does', async () => {
    const off = { ...device, max_bandwidth: 80, bandwidth: 0, current_bandwidth: 0 }
    opened({ 'bandwidth_pool/router': { data: [off], count: 1 } })
    expect(await screen.findByText('已停用')).toBeTruthy()
    expect(screen.queryByText('0 Mbs')).toBeNull()
  })

  it('refuses what is out of range with one sentence for both ends', async () => {
    opened()
    expect(await screen.findByRole('heading', { name: '海外池' })).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: /修改带宽/ }))
    const field = await screen.findByRole('textbox', { name: /^带宽/ })
    await userEvent.clear(field)
    await userEvent.type(field, '81')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('带宽数据不能小于等于 0 Mbs，且不能大于最大值 80 Mbs')).toBeTruthy()
  })

  it.each(['/saas/bandwidth_pool_detail', '/saas/bandwidth_pool_detail?id=x'])(
    '%s goes back to the list',
    async (address) => {
      const { router } = openPage(<PoolDetailPage />, address, POOL)
      await waitFor(() => expect(router.state.location.pathname).toBe('/saas/bandwidth_pool'))
    },
  )
})
