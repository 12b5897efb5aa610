import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createInterface, states } from './fixtures.ts'
import { setLiveState, emitFrame } from '../lib/fake-live.ts'
import { timeText } from '#lib/format/format-time.ts'
import { openPage } from './open-page.tsx'
import { ADDRESS, chart, header, info, open, rates } from './open-detail.tsx'
import { ERRORS } from '#contract/kernel/errors.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import { holdLongTimers } from '#tests/support/web/long-timers.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
vi.mock('#ui/chart/chart-canvas.tsx', () => import('../lib/fake-chart.tsx'))
const panel = vi.hoisted(() => ({ drawn: 0 }))
vi.mock('#pages/router/detail/device-panel.tsx', () => ({ DevicePanel: () => void panel.drawn++ }))

const legend = (name: string) => chart(name).querySelector('.nl-chart-legend')?.textContent ?? ''

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

it('draws the seconds of the history at once and then each sample, in the unit of the reader', async () => {
  const { user } = await open()
  await setLiveState('router', 'live')
  const history = [rates(-300_000, 99e6), rates(1_000, 99e6), rates(2_000), rates(3_000, 7e6)].map(({ eth0 }) => eth0)
  await emitFrame('router', { type: 'history', data: { eth0: history } })
  const wan = within(chart('eth0（WAN）'))
  expect((await wan.findByLabelText('曲线')).textContent).toBe('8 7') // averages of minutes are left out
  await emitFrame('router', { type: 'interface', data: rates(4_000, 1_500_000) })
  expect(wan.getByLabelText('曲线').textContent).toBe('8 7 1.5')
  expect(legend('eth0（WAN）')).toContain('下行当前 1.50平均 5.50峰值 8.00')
  await user.click(screen.getByRole('button', { name: 'MB/s' }))
  expect(legend('eth0（WAN）')).toContain('下行当前 0.19平均 0.69峰值 1.00') // value/8
  await user.click(screen.getByRole('button', { name: 'Mbit/s' }))
})

it('until the first second comes the average of the minutes before stands in the chart, open or folded', async () => {
  await open()
  await setLiveState('router', 'live')
  const data = { eth0: [rates(300_000, 2e6).eth0], 'br-lan': [rates(300_000, 3e6).eth0] }
  await emitFrame('router', { type: 'history', data })
  const band = () => chart('eth0（WAN）').querySelector<HTMLElement>('.nl-chart-earlier')
  expect(band()?.style.width).toBe('100%')
  expect(band()?.textContent).toBe('5 分钟平均')
  expect(screen.queryByText('等待数据…')).toBeNull()
  expect(legend('eth0（WAN）')).toContain('下行5 分钟平均 2.00')
  expect(legend('br-lan（LAN）')).toBe('下行5 分钟平均 3.00上行5 分钟平均 4.00Mbit/s')
  for (const time of [310_000, 311_000, 312_000])
    await emitFrame('router', { type: 'interface', data: rates(time, 5e6) })
  expect(band()?.style.width).toBe('97.5%') // up to the first second
  expect(legend('eth0（WAN）')).toContain('下行当前 5.00')
})

it('a sample draws the charts, and nothing else of the page', async () => {
  await open()
  await setLiveState('router', 'live')
  await emitFrame('router', { type: 'history', data: { eth0: [rates(1_000).eth0, rates(2_000).eth0] } })
  await within(chart('eth0（WAN）')).findByLabelText('曲线')
  const before = panel.drawn
  await emitFrame('router', { type: 'interface', data: rates(3_000, 1_500_000) })
  expect(legend('eth0（WAN）')).toContain('下行当前 1.50')
  expect(panel.drawn).toBe(before)
  await emitFrame('router', { type: 'router', data: states({ state: 'offline', config: 'queued' }) })
  expect(panel.drawn).toBeGreaterThan(before)
})

it('WAN is open, its mirror LAN folded to its present rates', async () => {
  const { user } = await open()
  await setLiveState('router', 'live')
  const lan = { 'br-lan': rates(2_000, 3e6).eth0 }
  await emitFrame('router', { type: 'history', data: { 'br-lan': [rates(1_000).eth0] } })
  await emitFrame('router', { type: 'interface', data: { ...rates(2_000), ...lan } })
  expect(screen.getByRole('button', { name: 'eth0（WAN）', expanded: true })).not.toBeNull()
  const button = screen.getByRole('button', { name: 'br-lan（LAN）', expanded: false })
  expect(legend('br-lan（LAN）')).toBe('下行当前 3.00上行当前 4.00Mbit/s')
  expect(within(chart('br-lan（LAN）')).queryByLabelText('曲线')).toBeNull()
  await user.click(button)
  expect((await within(chart('br-lan（LAN）')).findByLabelText('曲线')).textContent).toBe('3 3') // over its second
  expect(legend('br-lan（LAN）')).toContain('峰值 3.00')
})

it('without a WAN the first interface is open', async () => {
  await open(info({ interfaces: [createInterface('lan0'), createInterface('lan1')] }))
  expect(screen.getByRole('button', { name: 'lan0（LAN）', expanded: true })).not.toBeNull()
  expect(screen.getByRole('button', { name: 'lan1（LAN）', expanded: false })).not.toBeNull()
})

it('states come from the hub; an offline device keeps its last curve and shows when it was last seen', async () => {
  await open()
  await setLiveState('router', 'live')
  await emitFrame('router', { type: 'history', data: { eth0: [1_000, 2_000, 3_000].map((time) => rates(time).eth0) } })
  await emitFrame('router', { type: 'router', data: states({ state: 'offline', config: 'queued' }) })
  expect(header().queryByText('离线')).not.toBeNull()
  expect(header().queryByText('排队')).not.toBeNull()
  const wan = within(chart('eth0（WAN）'))
  expect(wan.queryByText('离线自 1970-01-01 08:00:02')).not.toBeNull() // last seen, not the decision at 1 s
  expect((await wan.findByLabelText('曲线')).textContent).toBe('8 8')
  expect(wan.getByLabelText('曲线').closest<HTMLElement>('.nl-chart-content')?.dataset['silent']).toBe('true')
  expect(legend('eth0（WAN）')).toContain('当前 —平均 8.00峰值 8.00')
  expect(wan.queryByText('现在')).toBeNull()
  for (const name of ['eth0', 'br-lan'])
    expect(within(screen.getByRole('group', { name: `${name} 接口设置` })).queryByText('未知')).not.toBeNull()
})

it('a device that was offline before keeps what it last reported, as averages', async () => {
  await open(info(states({ state: 'offline' })))
  await setLiveState('router', 'live')
  const reports = [1, 2, 3].map((count) => rates(count * 300_000, count * 1e6).eth0)
  await emitFrame('router', { type: 'history', data: { eth0: reports } })
  const wan = within(chart('eth0（WAN）'))
  expect((await wan.findByLabelText('曲线')).textContent).toBe('1 2 3')
  expect(screen.queryByText('最近上报，5 分钟平均')).not.toBeNull()
  expect(wan.queryByText('离线自 1970-01-01 08:00:02')).not.toBeNull()
})

describe('while the socket is refused', () => {
  const reply = (data: object) => ({ 'router/traffic': { data: { data, ...states() } } })

  it('the REST reply fills the charts, and is asked again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const reports = [1, 2].map((count) => rates(count * 300_000, count * 1e6).eth0)
    const { api } = await open({ ...info(), ...reply({ eth0: reports }) })
    await setLiveState('router', 'down')
    const wan = within(chart('eth0（WAN）'))
    expect((await wan.findByLabelText('曲线')).textContent).toBe('1 2')
    expect(screen.queryByText('最近上报，5 分钟平均')).not.toBeNull()
    expect(wan.getByLabelText('曲线').closest<HTMLElement>('.nl-chart-content')?.dataset['silent']).toBe('false')
    api.set('router/traffic', reply({ eth0: [...reports, rates(900_000, 3e6).eth0] })['router/traffic'])
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    await waitFor(() => expect(wan.getByLabelText('曲线').textContent).toBe('1 2 3'))
  })

  it('seconds of the reply are the last 40 s by the clock', async () => {
    await open({ ...info(), ...reply({ eth0: [1_000, 2_000, 3_000].map((time) => rates(time).eth0) }) })
    await setLiveState('router', 'down')
    expect((await within(chart('eth0（WAN）')).findByLabelText('曲线')).textContent).toBe('8 8')
    expect(screen.queryByText('最后 40 秒，每秒一次')).not.toBeNull()
    expect(screen.queryByText('现在')).toBeNull()
  })

  it('and REST fails too, a chart without samples is a failed one, which is read again by 重试', async () => {
    const away = { code: 503, msg: ERRORS.ROUTER_UNREADABLE.msg }
    const { api, user } = await open({ ...info(), 'router/traffic': away })
    await setLiveState('router', 'down')
    expect((await screen.findByRole('alert')).textContent).toContain('控制台暂时读不到该设备的状态，请稍后重试')
    expect(within(chart('eth0（WAN）')).queryByText('暂未加载，原因见页面上方')).not.toBeNull()
    api.set('router/traffic', reply({ eth0: [1_000, 2_000].map((time) => rates(time).eth0) })['router/traffic'])
    await user.click(within(screen.getByRole('alert')).getByRole('button', { name: '重试' }))
    expect((await within(chart('eth0（WAN）')).findByLabelText('曲线')).textContent).toBe('8 8')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('and REST fails too, the last curve is grey and says why', async () => {
    await open({ ...info(), 'router/traffic': { code: 500, msg: '系统异常' } })
    await setLiveState('router', 'live')
    await emitFrame('router', { type: 'history', data: { eth0: [1_000, 2_000].map((time) => rates(time).eth0) } })
    await setLiveState('router', 'down')
    const wan = within(chart('eth0（WAN）'))
    expect(wan.queryByText('实时通道已断开')).not.toBeNull()
    expect((await wan.findByLabelText('曲线')).textContent).toBe('8 8')
  })
})

it('a range is read from the hub’s store, over its whole time, and is in the address', async () => {
  const to = Date.parse('2026-01-15T02:30:00Z')
  const points = [to - 3_000_000, to - 60_000].map((time) => rates(time, 5e6).eth0)
  const series = { from: to - 3_600_000, to, step_ms: 60_000, data: { eth0: points } }
  const { api, user, address } = await open({ ...info(), 'router/series': { data: series } })
  await user.click(screen.getByRole('button', { name: '1 小时' }))
  const wan = within(chart('eth0（WAN）'))
  expect((await wan.findByLabelText('曲线')).textContent).toBe('5 5 5 5') // each over its minute
  expect(api.last('router/series')?.input).toEqual({ router_name: 'NL-1', range: 'hour' })
  expect(address()).toBe('/router/detail?router_name=NL-1&range=hour')
  expect(wan.queryByText('09:40')).not.toBeNull()
  await user.click(screen.getByRole('button', { name: '实时' }))
  expect(address()).toBe(ADDRESS)
  expect(wan.queryByText('现在')).not.toBeNull()
})

it('a month has averages of two hours, with the peak of each at the crosshair and of all in the legend', async () => {
  const to = Date.parse('2026-01-15T02:00:00Z')
  const step_ms = 7_200_000
  const points = [2, 1, 0].map((ago) => ({
    ...rates(to - ago * step_ms, (3 - ago) * 1e6).eth0,
    down_peak: (9 - ago) * 1e6,
    upload_peak: 5e6,
  }))
  const series = { from: to - 30 * 86_400_000, to, step_ms, data: { eth0: points } }
  const { api, user, address } = await open({ ...info(), 'router/series': { data: series } })
  await user.click(screen.getByRole('button', { name: '30 天' }))
  const wan = within(chart('eth0（WAN）'))
  expect((await wan.findByLabelText('曲线')).textContent).toBe('1 2 3')
  expect(api.last('router/series')?.input).toEqual({ router_name: 'NL-1', range: 'month' })
  expect(address()).toBe('/router/detail?router_name=NL-1&range=month')
  expect(screen.queryByText('每 2 小时平均，峰值按 5 分钟平均')).not.toBeNull()
  expect(legend('eth0（WAN）')).toContain('下行当前 3.00平均 2.00峰值 9.00')
  expect(wan.queryByText('12-23')).not.toBeNull()
  wan.getByRole('group', { name: /曲线/ }).focus()
  await user.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(chart('eth0（WAN）').querySelector('.nl-chart-tip')?.textContent).toBe(
    '01-15 06:00 – 08:00下行2.00 Mbit/s峰值 8.00上行4.00 Mbit/s峰值 5.00',
  )
})

it('a range that cannot be read can be tried again', async () => {
  const series = { from: 0, to: 3_600_000, step_ms: 60_000, data: {} }
  const { api, user } = await open({ ...info(), 'router/series': { code: 500, msg: '系统异常' } })
  await user.click(screen.getByRole('button', { name: '7 天' }))
  await screen.findByText(/^部分内容加载失败：系统异常/)
  const wan = chart('eth0（WAN）')
  expect(within(wan).queryByRole('group', { name: 'eth0 接口设置' })).not.toBeNull() // known all the same
  expect(wan.querySelector<HTMLElement>('[style]')?.style.minHeight).toBe('480px') // as high as the chart
  api.set('router/series', { data: series })
  await user.click(screen.getByRole('button', { name: '重试' }))
  await screen.findByText('该时段没有流量数据')
})

it('history and traffic that cannot be read are one message with one retry', async () => {
  const failed = { code: 500, msg: '系统异常' }
  const { user } = await open({ ...info(), 'router/series': failed, 'router/events': failed })
  await user.click(screen.getByRole('button', { name: '7 天' }))
  await screen.findByText(/^2 项内容加载失败：系统异常/)
  expect(screen.getAllByRole('button', { name: '重试' })).toHaveLength(1)
  expect(screen.getAllByText('暂未加载，原因见页面上方')).toHaveLength(2)
})

it('a chart whose samples stop says so with the time of the last, and goes on with the next', async () => {
  await open()
  const { pass } = holdLongTimers(1_000)
  await setLiveState('router', 'live')
  await emitFrame('router', { type: 'interface', data: rates(1_000) })
  await emitFrame('router', { type: 'interface', data: rates(2_000) })
  const wan = within(chart('eth0（WAN）'))
  await pass(STREAM.staleMs - 1)
  expect(wan.queryByText(/暂无数据/)).toBeNull()
  await pass(1)
  expect(wan.queryByText('暂无数据，最后一次上报于 1970-01-01 08:00:02')).not.toBeNull()
  expect(legend('eth0（WAN）')).toContain('当前 —')
  await emitFrame('router', { type: 'interface', data: rates(30_000) })
  await emitFrame('router', { type: 'interface', data: rates(31_000) })
  expect(wan.queryByText(/暂无数据/)).toBeNull()
  expect(legend('eth0（WAN）')).toContain('当前 8.00')
})

it('an interface that is down has no rates to wait for', async () => {
  await open(info({ interfaces: [createInterface('eth2', { up: false })] }))
  await setLiveState('router', 'live')
  expect(within(chart('eth2（LAN）')).queryByText('接口已断开')).not.toBeNull()
  expect(screen.queryByText('等待数据…')).toBeNull()
})

describe('account 2 · an alert opens the router at that time', () => {
  const HOUR = 3_600_000
  const SERIES = { 'router/series': { data: { from: 0, to: HOUR, step_ms: 60_000, data: {} } } }
  it.each([
    [1, 'hour'],
    [10 * 24, 'week'],
    [60 * 24, 'month'],
  ])('%i hours ago: charts and states around it', async (hours, range) => {
    const at = Date.now() - hours * HOUR
    const { api } = openPage(`${ADDRESS}&at=${at}`, { ...info(), ...SERIES })
    await screen.findByText(`图表为 ${timeText(at)} 前后的数据`)
    await waitFor(() =>
      expect(api.last('router/series')?.input).toMatchObject({ router_name: 'NL-1', range, at: String(at) }),
    )
    expect(api.last('router/events')?.input).toMatchObject({ router_name: 'NL-1', at: String(at) })
    await screen.findByText('当时的事件')
  })

  it('回到现在, or 实时, leaves it', async () => {
    const at = Date.now() - HOUR
    const { api, address } = openPage(`${ADDRESS}&at=${at}`, { ...info(), ...SERIES })
    await userEvent.click(await screen.findByRole('button', { name: '24 小时' }))
    await waitFor(() => expect(api.last('router/series')?.input).toMatchObject({ range: 'day', at: String(at) }))
    await userEvent.click(screen.getByRole('button', { name: '回到现在' }))
    expect(address()).toBe('/router/detail?router_name=NL-1&range=day')
    await waitFor(() => expect(api.last('router/series')?.input).toEqual({ router_name: 'NL-1', range: 'day' }))
  })
})
