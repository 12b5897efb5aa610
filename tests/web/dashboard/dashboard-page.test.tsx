import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { missFrames, setLiveState } from '../lib/fake-live.ts'
import { card, faulty, hrefs, openDashboard } from './open-dashboard.tsx'
import { AT, createOverview, createOverviewNetwork } from './overview-fixture.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: AT })) // times of another day show the day
afterEach(() => void vi.useRealTimers())

describe('head of the page', () => {
  it('starts all reads in parallel', async () => {
    const api = openDashboard()
    await waitFor(() => expect(new Set(api.paths())).toEqual(new Set(['announcements/lists', 'overview/info'])))
  })

  it('shows the user, and that it is a sub-account', () => {
    openDashboard({ user: { nickname: '分支管理', ram: 1, user_phone: '', user_email: 'b***@x.cn' } })
    expect(screen.getByText('分支管理').textContent).toBe('分支管理子账号')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('概览')
    expect(screen.queryByText('b***@x.cn')).not.toBeNull()
    expect(screen.queryByText(/138/)).toBeNull()
  })

  it('has the four shortcuts of the document, with numbers where there are any', async () => {
    openDashboard({ user: { message_count: 2 } })
    const shortcuts = within(screen.getByRole('navigation', { name: '快捷入口' }))
    await shortcuts.findByRole('link', { name: /成员管理 8/ })
    expect(hrefs(shortcuts.getAllByRole('link'))).toEqual([
      ['智能组网 1', '/network/lists'],
      ['成员管理 8', '/router/lists'],
      ['我的消息 未读 2', '/account/message'],
      ['客服工单', '/ticket/lists'],
    ])
  })

  it('begins with announcements beside the account, in one line above the status; shortcuts come last', async () => {
    openDashboard()
    await screen.findByText('维护通知')
    const head = screen.getByRole('region', { name: '公告' })
    expect(head.parentElement?.contains(screen.getByText('+86 138****0001'))).toBe(true)
    const parts = [
      head,
      screen.getByText('+86 138****0001'),
      ...['当前状态', '待处理', '成员', '席位与服务', '组网健康', '24 小时在线情况'].map((name) =>
        screen.getByRole('region', { name }),
      ),
      screen.getByRole('navigation', { name: '快捷入口' }),
    ]
    expect(
      parts.toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)),
    ).toEqual(parts)
  })

  it('shows announcements once', async () => {
    openDashboard()
    await card('待处理')
    expect(await screen.findAllByText('维护通知')).toHaveLength(1)
  })

  it('a dismissed announcement stays away for this person, a new one comes, and others still see both', async () => {
    const announcements = (...titles: string[]) => ({
      'announcements/lists': {
        data: titles.map((title, at) => ({ id: at + 1, title, tag: '', release_time: 0 })),
        count: titles.length,
      },
    })
    const open = (username: string, ...titles: string[]) => {
      cleanup()
      openDashboard({ user: { username }, handlers: announcements(...titles) })
      return screen.findByRole('region', { name: '公告' })
    }
    await open('first', '旧公告')
    fireEvent.click(screen.getByRole('button', { name: '不再显示公告“旧公告”' }))
    expect(screen.queryByRole('region', { name: '公告' })).toBeNull()
    const line = within(await open('first', '旧公告', '新公告'))
    await line.findByRole('link', { name: '新公告' })
    expect(line.queryByText('旧公告')).toBeNull()
    await within(await open('second', '旧公告')).findByRole('link', { name: '旧公告' })
  })
})

describe('status line', () => {
  it('is green with the time while all is well', async () => {
    openDashboard()
    const line = await card('当前状态')
    expect(line.queryByText('全部正常')).not.toBeNull()
    expect(line.getByText('08:00:12').closest('p')?.textContent).toBe('更新于 08:00:12')
    expect(line.queryByRole('link')).toBeNull()
  })

  it('says what is wrong, each part with its objects', async () => {
    openDashboard({ overview: faulty(2) })
    const line = await card('当前状态')
    expect(hrefs(line.getAllByRole('link'))).toEqual([
      ['2 台硬件离线', '/router/lists?type=1&state=offline'],
      ['1 条链路断开', '/dashboard?show=links_down'],
    ])
    expect(line.queryByText('全部正常')).toBeNull()
  })

  it('says that the hub did not answer, and calls nothing 全部正常 then', async () => {
    openDashboard({ overview: { live: 0, presence: [], changes: [] } })
    const line = await card('当前状态')
    expect(line.queryByText(/实时状态暂不可用，链路与历史未知/)).not.toBeNull()
    expect(line.queryByText('设备与配置正常')).not.toBeNull()
    expect(line.queryByText(/全部正常/)).toBeNull()
    expect(screen.getByRole('region', { name: '当前状态' }).dataset.tone).toBe('idle')
    expect((await card('24 小时在线情况')).queryByRole('img')).toBeNull()
  })

  it('calls nothing 全部正常 while the links of a network are unknown, and is not grey for the rest', async () => {
    const networks = [createOverviewNetwork('N1', {}, { live: 0 }), createOverviewNetwork('N2')]
    const api = openDashboard({ overview: { networks } })
    const line = await card('当前状态')
    expect(line.queryByText(/部分组网的链路状态暂不可用/)).not.toBeNull()
    expect(line.queryByText('已知状态正常')).not.toBeNull()
    const words = within(screen.getByRole('region', { name: '组网健康' })).getAllByText(/./, {
      selector: '.nl-status-word',
    })
    expect(words.map(({ textContent }) => textContent)).toEqual(['未知', '运行正常'])
    expect(screen.getByRole('region', { name: '当前状态' }).dataset.tone).toBe('idle')
    api.set('overview/info', { data: createOverview({ ...faulty(2), networks }) })
    await missFrames('account')
    await waitFor(() => expect(screen.getByRole('region', { name: '当前状态' }).dataset.tone).toBe('bad'))
  })

  it('is read again while no frame comes, because the curve moves on and services end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const api = openDashboard()
    await card('当前状态')
    await setLiveState('account', 'live')
    const reads = () => api.paths().filter((path) => path === 'overview/info').length
    const before = reads()
    await act(() => vi.advanceTimersByTimeAsync(HEALTH.curveBucketMs))
    expect(reads()).toBe(before + 1)
  })

  it('says that the channel is down, and is grey until it is back', async () => {
    openDashboard({ overview: faulty(2) })
    await card('当前状态')
    await setLiveState('account', 'down')
    const line = await card('当前状态')
    expect(line.queryByText(/实时通道已断开，每 10 秒读取一次/)).not.toBeNull()
    expect(screen.getByRole('region', { name: '当前状态' }).dataset.tone).toBe('idle')
    await setLiveState('account', 'live')
    await waitFor(() => expect(screen.getByRole('region', { name: '当前状态' }).dataset.tone).toBe('bad'))
  })
})

it('says once what failed, and offers to try again', async () => {
  const api = openDashboard({ handlers: { 'overview/info': { code: 500, msg: '系统异常,请稍候尝试!' } } })
  const strip = await screen.findByText(/^部分内容加载失败：系统异常,请稍候尝试!/)
  expect(screen.queryByRole('region', { name: '待处理' })).toBeNull()
  api.set('overview/info', { data: createOverview() })
  fireEvent.click(within(strip.closest<HTMLElement>('[role="alert"]')!).getByRole('button', { name: '重试' }))
  await card('待处理')
})
