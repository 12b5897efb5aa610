import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { NO_STATES } from '../lib/fixtures.ts'
import { card, faulty, hrefs, openDashboard } from './open-dashboard.tsx'
import { AT, createAttentionRow, createOverviewNetwork } from './overview-fixture.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

describe('待处理', () => {
  it('gives object, cause, since, what it explains, and one verb', async () => {
    const rows = [
      createAttentionRow(
        'network_down',
        '全国门店',
        { type: 'network', network_number: 'N9' },
        { cause: '两个中心点均离线', folded: 58 },
      ),
      createAttentionRow('service_ending', '带宽包', { type: 'service' }, { since: null, until: AT + 20 * 86_400_000 }),
    ]
    openDashboard({ overview: { attention: { count: 2, rows } } })
    const [down, ending] = (await card('待处理')).getAllByRole('listitem')
    expect(down?.textContent).toMatch(/^全国门店两个中心点均离线影响 58 项.+查看$/)
    expect(within(down!).getByRole('link', { name: '查看 全国门店' }).getAttribute('href')).toBe(
      '/network/detail?network_number=N9',
    )
    expect(ending?.textContent).toMatch(/2026-12-12 到期续费$/)
  })

  it('opens the rest on demand', async () => {
    openDashboard({ overview: faulty(13) })
    const rows = await card('待处理')
    expect(rows.getAllByRole('listitem')).toHaveLength(8)
    const more = rows.getByRole('button', { name: '全部 14 项' })
    expect(more.getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(more)
    expect(rows.getAllByRole('listitem')).toHaveLength(14)
    fireEvent.click(rows.getByRole('button', { name: '收起' }))
    expect(rows.getAllByRole('listitem')).toHaveLength(8)
  })

  it('says how many the server left out', async () => {
    const { attention } = faulty(13)
    openDashboard({ overview: { attention: { count: 400, rows: attention!.rows } } })
    const rows = await card('待处理')
    fireEvent.click(rows.getByRole('button', { name: '全部 400 项' }))
    expect(rows.queryByText('共 400 项，仅列出其中 14 项')).not.toBeNull()
  })

  it('says when nothing waits, with the time', async () => {
    openDashboard()
    expect((await card('待处理')).queryByText('没有待处理事项')).not.toBeNull()
  })

  it('says so of what it is narrowed to as well', async () => {
    const { status, attention } = faulty(2)
    openDashboard({
      overview: { attention: attention!, status: { ...status!, links_down: 60 } },
      at: '/dashboard?show=links_down',
    })
    const rows = await card('待处理')
    expect(rows.getAllByRole('listitem')).toHaveLength(1)
    expect(rows.queryByText('共 60 项，仅列出其中 1 项')).not.toBeNull()
  })

  it('is narrowed by the address to what the part counts, and says so', async () => {
    openDashboard({ overview: faulty(13), at: '/dashboard?show=links_down' })
    const rows = await card('待处理')
    expect(rows.getAllByRole('listitem').map((row) => row.textContent?.slice(0, 3))).toEqual(['备用线'])
    expect(rows.getByText(/仅显示：链路断开/)).not.toBeNull()
    expect(rows.getByRole('link', { name: '显示全部' }).getAttribute('href')).toBe('/dashboard')
    const part = (await card('当前状态')).getByRole('link', { name: '1 条链路断开' })
    expect(part.getAttribute('aria-current')).toBe('true')
  })
})

describe('view-more links', () => {
  it.each([
    ['待处理', '查看更多：需关注的成员', '/router/lists?state=attention'],
    ['成员', '查看更多：成员', '/router/lists'],
    ['席位与服务', '查看更多：席位与服务', '/account/service'],
    ['组网健康', '查看更多：组网', '/network/lists'],
    ['24 小时在线情况', '查看更多：成员最近在线', '/router/lists?sort=seen'],
  ])('%s has one, which says of what', async (title, name, href) => {
    openDashboard()
    const link = (await card(title)).getByRole('link', { name })
    expect(hrefs([link])).toEqual([['查看更多', href]])
  })
})

describe('members, seats and services', () => {
  it('each state has its number and the list of those members; zeros are hidden', async () => {
    const hardware = { ...NO_STATES, online: 20, flapping: 1, offline: 3, never: 17 }
    openDashboard({ overview: { members: { hardware, software: NO_STATES, software_max: 0 } } })
    const members = await card('成员')
    expect(hrefs(members.getAllByRole('link', { name: /^(?!查看更多)/ }))).toEqual([
      ['在线 20', '/router/lists?type=1&state=online'],
      ['抖动 1', '/router/lists?type=1&state=flapping'],
      ['离线 3', '/router/lists?type=1&state=offline'],
      ['从未上线 17', '/router/lists?type=1&state=never'],
    ])
    expect(members.queryByRole('img', { name: '硬件成员：在线 20，抖动 1，离线 3，从未上线 17' })).not.toBeNull()
    expect(members.queryByText('暂无软件成员')).not.toBeNull()
  })

  it.each([
    [79, 'accent', '剩余 21 个'],
    [80, 'warn', '剩余 20 个'],
    [95, 'warn', '剩余 5 个'],
    [96, 'bad', '剩余 4 个'],
    [120, 'bad', '已超出 20 个，部分组网停用'],
  ])('%i of 100 seats are %s', async (used, tone, left) => {
    openDashboard({ overview: { seats: { used, total: 100 } } })
    const seats = (await card('席位与服务')).getByRole('meter', { name: '席位' })
    expect(seats.closest<HTMLElement>('.nl-meter')?.dataset.tone).toBe(tone)
    expect(seats.parentElement?.textContent).toContain(`每个组网各计一次，${left}`)
  })

  it('says when the first service ends, except to a role limited to networks', async () => {
    openDashboard()
    expect((await card('席位与服务')).queryByText('最早到期的服务')).not.toBeNull()
  })

  it.each([
    [1, '已开启查看'],
    [0, '未开启开启'],
  ] as const)('says whether alerts are on (%i), and leads to them', async (alerts, text) => {
    openDashboard({ overview: { alerts } })
    const alertsOf = (await card('席位与服务')).getByText('告警').nextElementSibling as HTMLElement
    expect(alertsOf.textContent).toBe(text)
    expect(within(alertsOf).getByRole('link').getAttribute('href')).toBe('/monitor/setting')
  })

  it('says nothing of alerts to a role that may not see them', async () => {
    openDashboard({ user: { ram: 1, flags: [] } })
    expect((await card('席位与服务')).queryByText('告警')).toBeNull()
  })

  it('says nothing of services to a role limited to networks', async () => {
    openDashboard({ user: { ram: 1, networks: ['N1'] }, overview: { service_end: null } })
    const account = await card('席位与服务')
    expect(account.queryByText('最早到期的服务')).toBeNull()
    expect(account.queryByText('暂无有效服务')).toBeNull()
  })
})

describe('组网健康', () => {
  it('has a row for each network', async () => {
    const health = {
      state: 'partial',
      issues: 2,
      centers: { up: 2, total: 2 },
      members: { ...NO_STATES, online: 35, offline: 5 },
      links: { up: 64, down: 2, one_sided: 0, unknown: 0, never: 10 },
      single_center: 2,
      config: { applied: 40, total: 40 },
    } as const
    openDashboard({ overview: { networks: [createOverviewNetwork('N1', health, { availability: 0.9995 })] } })
    const row = (await card('组网健康')).getAllByRole('row')[1]
    const cells = within(row!).getAllByRole('cell')
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      '部分异常 (2)',
      '2/2',
      '35/40',
      '64/66单中心 2',
      '40/40',
      '99.9%',
    ])
    expect(hrefs(within(row!).getAllByRole('link'))).toEqual([['组网N1', '/network/detail?network_number=N1']])
  })

  it('knows no links and no availability without the hub', async () => {
    openDashboard({
      overview: { live: 0, networks: [createOverviewNetwork('N1', {}, { live: 0, availability: null })] },
    })
    const row = (await card('组网健康')).getAllByRole('row')[1]
    const cells = within(row!).getAllByRole('cell')
    expect([cells[3]?.textContent, cells[5]?.textContent]).toEqual(['—', '—'])
  })

  it('says the time of a share that is of less than a day, and why there is none', async () => {
    const young = createOverviewNetwork('N1', {}, { availability: 0.926, availability_ms: 500_000 })
    const mesh = createOverviewNetwork('N2', {}, { availability: null, availability_ms: 0 })
    openDashboard({ overview: { networks: [young, mesh] } })
    const rows = (await card('组网健康')).getAllByRole('row').slice(1)
    const last = rows.map((row) => within(row).getAllByRole('cell').at(-1)!)
    expect(last.map(({ textContent }) => textContent)).toEqual(['92.6%（8 分）', '—'])
    await userEvent.hover(within(last[1]!).getByText('—'))
    await screen.findByText('没有上线过的中心点，不计可用率')
  })

  it('lists eight of many, the worst first, and links to the rest', async () => {
    const networks = Array.from({ length: 12 }, (_, n) =>
      createOverviewNetwork(`N${n}`, n === 11 ? { state: 'down', issues: 1 } : {}),
    )
    openDashboard({ overview: { networks } })
    const health = await card('组网健康')
    const names = health.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect([names.length, names[0]]).toEqual([8, '组网N11'])
    expect(health.queryByText('共 12 个，仅列出最需关注的 8 个')).not.toBeNull()
  })

  it('is narrowed by the address to the networks that the part counts', async () => {
    const networks = ['N1', 'N2', 'N3'].map((number) =>
      createOverviewNetwork(number, number === 'N3' ? {} : { state: 'down', issues: 1 }),
    )
    openDashboard({ overview: { networks }, at: '/dashboard?show=networks_down' })
    const health = await card('组网健康')
    expect(health.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['组网N1', '组网N2'])
    expect(health.queryByText(/仅显示：组网中断/)).not.toBeNull()
  })
})

describe('席位与服务', () => {
  it('has no meter of nothing', async () => {
    openDashboard({ overview: { seats: { used: 0, total: 0 } } })
    const seats = await card('席位与服务')
    expect(seats.queryByText('尚未开通席位')).not.toBeNull()
    expect(seats.queryByRole('meter')).toBeNull()
  })
})

describe('24 小时在线情况', () => {
  it('draws how many were online, and lists what changed', async () => {
    const change = {
      router_name: 'R1',
      note: '上海徐汇店',
      from: 'online',
      to: 'offline',
      at: AT - 12 * 3_600_000,
      reason: '连接中断',
    } as const
    openDashboard({ overview: { changes: [change] } })
    const presence = await card('24 小时在线情况')
    expect(presence.getByText('当前').textContent).toBe('当前 3')
    const item = presence.getByRole('listitem')
    expect(item.textContent).toBe('昨天 20:00:12上海徐汇店在线→离线连接中断')
    expect(hrefs(within(item).getAllByRole('link'))).toEqual([['上海徐汇店', '/router/detail?router_name=R1']])
  })

  it('spans 24 hours, also of an account whose first member came later', async () => {
    openDashboard()
    const presence = await card('24 小时在线情况')
    expect(presence.queryByText('09:00')).not.toBeNull()
    expect(presence.getByRole('img').getAttribute('aria-label')).toMatch(/；在线成员当前 3，最高 3，最低 2$/)
  })

  it('has a sentence in place of the curve while no member has come', async () => {
    openDashboard({ overview: { presence: [] } })
    const presence = await card('24 小时在线情况')
    expect(presence.queryByText('还没有成员上线')).not.toBeNull()
    expect(presence.queryByRole('img')).toBeNull()
  })

  it('says when nothing changed', async () => {
    openDashboard()
    expect((await card('24 小时在线情况')).queryByText('24 小时内没有状态变化')).not.toBeNull()
  })
})
