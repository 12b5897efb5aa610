import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ChartGroup } from '#ui/chart/chart-group.tsx'
import { type ChartFrame, type ChartPoint, type ChartSeries, toDirections } from '#ui/chart/chart-series.ts'
import { stepPaths } from '#ui/chart/step-curves.tsx'
import { TimeChart } from '#ui/chart/time-chart.tsx'

/** Calls of the chart library, which draws on a canvas that jsdom lacks. */
const drawn = vi.hoisted(() => ({
  options: [] as Record<string, unknown>[],
  data: [] as Record<string, unknown>[][],
  removed: 0,
  removedLines: 0,
  views: [] as { from: number; to: number }[],
  /** Shift of the range that the library reports, as happens when its last value moves. */
  shift: 0,
}))
vi.mock('lightweight-charts', () => {
  const series = () => ({ applyOptions() {}, setData: (data: Record<string, unknown>[]) => drawn.data.push(data) })
  return {
    AreaSeries: 'area',
    LineSeries: 'line',
    LineStyle: { Dashed: 2 },
    createOptionsChart: (_: HTMLElement, options: Record<string, unknown>) => {
      drawn.options.push(options)
      return {
        addSeries: series,
        removeSeries: () => drawn.removedLines++,
        remove: () => drawn.removed++,
        timeScale: () => ({
          setVisibleLogicalRange: (view: { from: number; to: number }) => drawn.views.push(view),
          getVisibleLogicalRange() {
            const view = drawn.views.at(-1)
            return view === undefined ? null : { from: view.from + drawn.shift, to: view.to + drawn.shift }
          },
        }),
      }
    },
  }
})

const NOW = Date.parse('2026-01-15T02:30:00Z')
const LIVE: ChartFrame = { fromMs: NOW - 40_000, toMs: NOW, stepMs: 1_000, axis: 'live' }
const HOUR: ChartFrame = { fromMs: NOW - 3_600_000, toMs: NOW, stepMs: 60_000, axis: 'clock' }
interface Rates {
  readonly atMs: number
  readonly down: number
  readonly up: number | null
}
const at = (second: number, mbps: number, upMbps: number | null = null): Rates => ({
  atMs: NOW + second * 1_000,
  down: mbps * 1e6,
  up: upMbps === null ? null : upMbps * 1e6,
})
const points = [at(-2, 8), at(-1, 2), at(0, 5)]
const traffic = (rates: readonly Rates[]) =>
  toDirections(
    rates.map(({ atMs, down }) => ({ atMs, value: down })),
    rates.map(({ atMs, up }) => ({ atMs, value: up })),
  )

function show(frame: ChartFrame, shown: readonly Rates[] = points, second: readonly Rates[] = []) {
  return render(
    <ChartGroup frame={frame} bar={{ title: '流量', resolution: '每秒一次' }}>
      <TimeChart label="wan0" series={traffic(shown)} />
      <TimeChart label="wan1" series={traffic(second)} />
    </ChartGroup>,
  )
}
const plotOf = (name: string) => screen.getByRole('group', { name: new RegExp(`^${name} 曲线`) })
/** The plot is 400 px wide, a tenth of a second each on a live chart. */
const point = (type: 'down' | 'move' | 'up', name: string, clientX: number) => {
  const plot = plotOf(name)
  plot.setPointerCapture = () => {}
  vi.spyOn(plot, 'getBoundingClientRect').mockReturnValue({ left: 0, width: 400 } as DOMRect)
  fireEvent(plot, new MouseEvent(`pointer${type}`, { bubbles: true, clientX })) // jsdom has no PointerEvent
}
const hover = (name: string, x: number) => point('move', name, x)
const tips = () => [...document.querySelectorAll('.nl-chart-tip')].map((tip) => tip.textContent)
const legend = (name: string) =>
  screen.getByText(name).closest('figure')?.querySelector('.nl-chart-legend')?.textContent ?? ''

beforeEach(() => {
  Object.assign(drawn, { options: [], data: [], removed: 0, removedLines: 0, views: [], shift: 0 })
  localStorage.clear()
})

it('draws three samples at their seconds of 40, lets the licence page name the library, and cleans up', async () => {
  const { unmount } = show(LIVE)
  await waitFor(() => expect(drawn.data).toHaveLength(3))
  const [grid, down, up] = drawn.data
  expect(drawn.options[0]).toMatchObject({
    layout: { attributionLogo: false },
    timeScale: { lockVisibleTimeRangeOnResize: true }, // else a curve leaves its times when the window gets wider
  })
  expect(grid).toHaveLength(426) // 40 s in tenths, and what leads in
  expect(down?.map(({ time, value }) => [time, value])).toEqual([
    [405, 8e6],
    [415, 2e6],
    [425, 5e6],
  ])
  expect(up).toEqual([])
  expect(drawn.views).toEqual([{ from: 25.5, to: 424.5 }])
  unmount()
  expect(drawn.removed).toBe(1)
})

it('sets the visible range only where the library shows another one, because it draws twice for it', async () => {
  const chart = (second: number) => (
    <ChartGroup
      frame={{ ...LIVE, fromMs: LIVE.fromMs + second * 1_000, toMs: LIVE.toMs + second * 1_000 }}
      bar={{ title: '流量' }}
    >
      <TimeChart label="wan0" series={traffic([...points, at(second, 7)])} />
    </ChartGroup>
  )
  const { rerender } = render(chart(1))
  await waitFor(() => expect(drawn.data).toHaveLength(3))
  rerender(chart(2))
  expect(drawn.data).toHaveLength(5) // both lines, on the same slots
  expect(drawn.views).toHaveLength(1)
  drawn.shift = -10 // the sample of a second is missing
  rerender(chart(3))
  expect(drawn.views).toEqual([drawn.views[0], drawn.views[0]])
})

it('one tool bar turns axis and legend of every chart to value/8', async () => {
  const user = userEvent.setup()
  const { container } = show(LIVE, points, [at(-1, 80), at(0, 80)])
  const axes = () =>
    [...container.querySelectorAll('.nl-chart-values')].map((axis) =>
      [...axis.children].map((tick) => tick.textContent),
    )
  expect(axes()).toEqual([
    ['0', '2', '4', '6', '8'],
    ['0', '20', '40', '60', '80'],
  ])
  expect(legend('wan0')).toContain('下行当前 5.00平均 5.00峰值 8.00')
  expect(legend('wan0')).toMatch(/上行当前 —平均 —峰值 —$/)
  await user.click(screen.getByRole('button', { name: 'MB/s' }))
  expect(axes()).toEqual([
    ['0', '0.25', '0.50', '0.75', '1.00'],
    ['0', '2.5', '5.0', '7.5', '10.0'],
  ])
  expect(legend('wan0')).toContain('下行当前 0.63平均 0.63峰值 1.00')
  await user.click(screen.getByRole('button', { name: 'Mbit/s' })) // the setting outlives the page
})

it('zooms between 1 and 2, and figures are those in sight', async () => {
  const user = userEvent.setup()
  const { container } = show(LIVE, [at(-30, 40), ...points])
  const times = () => [...(container.querySelector('.nl-chart-times')?.children ?? [])].map((tick) => tick.textContent)
  expect(times()).toEqual(['−40 s', '−30 s', '−20 s', '−10 s', '现在'])
  expect(legend('wan0')).toContain('峰值 40.00')
  const [out, into] = [screen.getByRole('button', { name: '缩小' }), screen.getByRole('button', { name: '放大' })]
  expect(out.hasAttribute('disabled')).toBe(true)
  for (let press = 0; press < 4; press++) await user.click(into)
  expect(into.hasAttribute('disabled')).toBe(true)
  expect(times()).toEqual(['−20 s', '−15 s', '−10 s', '−5 s', '现在'])
  expect(legend('wan0')).toContain('峰值 8.00')
})

it('a zoomed range is dragged, with its labels', async () => {
  const user = userEvent.setup()
  const { container } = show(HOUR, [at(-3_000, 4), at(-600, 2)])
  const times = () => container.querySelector('.nl-chart-times')?.textContent
  for (let press = 0; press < 4; press++) await user.click(screen.getByRole('button', { name: '放大' }))
  expect(times()).toBe('10:0010:0510:1010:1510:2010:2510:30')
  expect(legend('wan0')).toContain('峰值 2.00')
  point('down', 'wan0', 0)
  point('move', 'wan0', 900)
  point('up', 'wan0', 900)
  await waitFor(() => expect(times()).toBe('09:3009:3509:4009:4509:5009:5510:00'))
  expect(legend('wan0')).toContain('峰值 4.00')
})

describe('the tooltip', () => {
  it('names time and both rates of the sample under the pointer, on every chart of the page', () => {
    show(LIVE, [at(-10, 8.25, 1.5), at(-9, 2, 0)], [at(-10.2, 40, 7)])
    expect(tips()).toEqual([])
    hover('wan0', 301)
    expect(tips()).toEqual(['10:29:50下行8.25 Mbit/s上行1.50 Mbit/s', '10:29:49下行40.00 Mbit/s上行7.00 Mbit/s'])
    hover('wan1', 311)
    expect(tips()[0]).toBe('10:29:51下行2.00 Mbit/s上行0.00 Mbit/s')
    fireEvent.pointerLeave(plotOf('wan1'))
    expect(tips()).toEqual([])
  })

  it('says so where there is no sample', () => {
    show(LIVE)
    hover('wan0', 10)
    expect(tips()).toEqual(['10:29:21无数据', '10:29:21无数据'])
  })

  it('of an average names its span', () => {
    show(HOUR, [at(-600, 2, 1)])
    hover('wan0', 333)
    expect(tips()[0]).toBe('01-15 10:19 – 10:20下行2.00 Mbit/s上行1.00 Mbit/s')
  })

  it('walks from sample to sample with the arrow keys', async () => {
    const user = userEvent.setup()
    show(LIVE)
    plotOf('wan0').focus()
    await user.keyboard('{ArrowLeft}')
    expect(tips()[0]).toContain('10:30:00下行5.00')
    expect(screen.getAllByRole('status').map((tip) => tip.textContent)).toEqual(['1.00×', tips()[0]]) // read out once
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(tips()[0]).toContain('10:29:58下行8.00')
    await user.keyboard('{ArrowRight}')
    expect(tips()[0]).toContain('10:29:59下行2.00')
    await user.keyboard('{Escape}')
    expect(tips()).toEqual([])
  })
})

it('without samples shows axes and says what it waits for, and loads no library', () => {
  render(
    <ChartGroup frame={LIVE} bar={{ title: '流量' }}>
      <TimeChart label="wan1" series={traffic([])} empty="等待数据…" />
    </ChartGroup>,
  )
  expect(screen.queryByText('等待数据…')).not.toBeNull()
  expect(screen.queryByText('−40 s')).not.toBeNull()
  expect(drawn.options).toEqual([])
})

it('silent, keeps its curve and has no present rate', async () => {
  render(
    <ChartGroup frame={{ ...LIVE, axis: 'clock' }} bar={{ title: '流量' }}>
      <TimeChart label="wan0" series={traffic(points)} silence="离线自 2026-01-15 10:30:00" />
    </ChartGroup>,
  )
  await waitFor(() => expect(drawn.data).toHaveLength(3))
  expect(screen.queryByText('离线自 2026-01-15 10:30:00')).not.toBeNull()
  expect(screen.getByText('wan0').closest<HTMLElement>('.nl-chart-content')?.dataset['silent']).toBe('true')
  expect(legend('wan0')).toContain('当前 —平均 5.00峰值 8.00')
})

it('folded, shows the present rates alone', async () => {
  const onToggle = vi.fn<() => void>()
  render(
    <ChartGroup frame={LIVE} bar={{ title: '流量' }}>
      <TimeChart label="lan0" series={traffic(points)} fold={{ isOpen: false, onToggle }} />
    </ChartGroup>,
  )
  const button = screen.getByRole('button', { name: 'lan0', expanded: false })
  expect(legend('lan0')).toBe('下行当前 5.00上行当前 —Mbit/s')
  expect(screen.queryByRole('img')).toBeNull()
  await userEvent.setup().click(button)
  expect(onToggle).toHaveBeenCalledOnce()
})

it('scrolled out of sight, stands still until it is in sight again', () => {
  type Report = (entries: readonly { isIntersecting: boolean }[]) => void
  let report: Report = () => {}
  class Observer {
    constructor(listener: Report) {
      report = listener
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const chart = (mbps: number) => (
    <ChartGroup frame={LIVE} bar={{ title: '流量' }}>
      <TimeChart label="wan0" series={traffic([at(0, mbps)])} />
    </ChartGroup>
  )
  const { rerender } = render(chart(1))
  act(() => report([{ isIntersecting: false }]))
  rerender(chart(2))
  expect(legend('wan0')).toContain('当前 1.00')
  act(() => report([{ isIntersecting: true }]))
  expect(legend('wan0')).toContain('当前 2.00')
  vi.unstubAllGlobals()
})

it('a folded chart shows its present values also while it is out of view', () => {
  let report: (entries: readonly { isIntersecting: boolean }[]) => void = () => {}
  class Observer {
    constructor(listener: typeof report) {
      report = listener
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const chart = (rates: readonly Rates[]) => (
    <ChartGroup frame={LIVE} bar={{ title: '流量' }}>
      <TimeChart label="lan0" series={traffic(rates)} fold={{ isOpen: false, onToggle: () => {} }} />
    </ChartGroup>
  )
  const { rerender } = render(chart([]))
  act(() => report([{ isIntersecting: false }]))
  rerender(chart([at(0, 2)]))
  expect(legend('lan0')).toContain('当前 2.00')
  vi.unstubAllGlobals()
})

it('over more than a day, labels the same hour twice', () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
  show({ ...HOUR, fromMs: NOW - 30 * 3_600_000, stepMs: 300_000 })
  expect(screen.getAllByText('08:00')).toHaveLength(4) // two charts
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

it('has a text alternative inside the plot, which says how to read values', () => {
  show(LIVE)
  const [image] = screen.getAllByRole('img')
  expect(image?.getAttribute('aria-label')).toMatch(/^wan0 的速率曲线，.*上行无数据$/)
  expect(within(plotOf('wan0')).getByRole('img')).toBe(image)
  expect(plotOf('wan0').getAttribute('aria-label')).toBe('wan0 曲线，按左右方向键查看数值')
})

describe('many lines', () => {
  const STORED: ChartFrame = { ...HOUR, isExact: true }
  const minutes = (values: Readonly<Record<number, number>>): readonly ChartPoint[] =>
    Object.entries(values).map(([minute, value]) => ({ atMs: NOW - Number(minute) * 60_000, value }))
  const apps: readonly ChartSeries[] = [
    ['飞书', { 3: 3_200, 1: 9_600 }],
    ['其他', { 3: 8e6, 2: 4e6, 1: 2e6 }],
    ['DNS', {}],
  ].map(([name, values], index) => ({
    name: String(name),
    colour: `--nl-series-${index + 1}`,
    drawing: 'line',
    points: minutes(values as Record<number, number>).toSorted((a, b) => a.atMs - b.atMs),
  }))
  const showApps = (series = apps) =>
    render(
      <ChartGroup frame={STORED} bar={{}}>
        <TimeChart label="应用流量" series={series} measure="scaledRate" />
      </ChartGroup>,
    )

  it('are drawn in their order, a single missing step as a gap', async () => {
    showApps()
    await waitFor(() => expect(drawn.data).toHaveLength(4))
    expect(drawn.data[1]?.map(({ time, value, color }) => [time, value, color])).toEqual([
      [585, 3_200, undefined], // a sample alone is drawn over its step
      [595, 3_200, 'transparent'],
      [605, 9_600, undefined],
      [615, 9_600, undefined],
    ])
    expect(drawn.data[2]?.map(({ value }) => value)).toEqual([8e6, 4e6, 2e6])
    expect(drawn.data[3]).toEqual([])
  })

  it('are replaced where there are others', async () => {
    const { rerender } = showApps()
    await waitFor(() => expect(drawn.data).toHaveLength(4))
    rerender(
      <ChartGroup frame={STORED} bar={{}}>
        <TimeChart label="应用流量" series={apps.slice(1, 2)} measure="scaledRate" />
      </ChartGroup>,
    )
    expect(drawn.removedLines).toBe(3)
    expect(drawn.data[4]?.map(({ value }) => value)).toEqual([8e6, 4e6, 2e6])
  })

  it('have mean and peak below the plot, each in a unit of its size', () => {
    showApps()
    const lines = [...document.querySelectorAll('[data-many="true"] .nl-chart-line')].map((line) => line.textContent)
    expect(lines).toEqual([
      '飞书平均 6.40 kbit/s峰值 9.60 kbit/s',
      '其他平均 4.67 Mbit/s峰值 8.00 Mbit/s',
      'DNS平均 —峰值 —',
    ])
    expect(document.querySelector('figcaption')?.textContent).toBe('应用流量')
  })

  it('are read under the pointer and by keys, also where some have no sample', async () => {
    const user = userEvent.setup()
    showApps()
    hover('应用流量', 387) // 2 minutes ago
    expect(tips()).toEqual(['01-15 10:27 – 10:28飞书— Mbit/s其他4.00 Mbit/sDNS— Mbit/s'])
    act(() => plotOf('应用流量').focus())
    await user.keyboard('{End}')
    expect(tips()).toEqual(['01-15 10:28 – 10:29飞书9.60 kbit/s其他2.00 Mbit/sDNS— Mbit/s'])
    await user.keyboard('{Home}')
    expect(screen.getByText(/10:26 – 10:27/).closest('[role=status]')?.textContent).toContain('飞书3.20 kbit/s')
  })

  it('without any line say so', () => {
    showApps([])
    expect(screen.queryByText('暂无数据')).not.toBeNull()
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('应用流量 的速率曲线，暂无数据')
    expect(drawn.options).toEqual([])
  })
})

describe('values that hold until the next one', () => {
  const HOURS: ChartFrame = { fromMs: NOW - 24 * 3_600_000, toMs: NOW, stepMs: 0, axis: 'clock' }
  const toSeries = (...steps: readonly (readonly [number, number])[]): readonly ChartSeries[] => [
    {
      name: '在线成员',
      colour: '--nl-ok',
      drawing: 'area',
      points: steps.map(([hoursAgo, value]) => ({ atMs: NOW - hoursAgo * 3_600_000, value })),
    },
  ]
  const members = toSeries([24, 4], [20, 4], [12, 0], [11.75, 2], [0, 1_200])
  const showMembers = (series = members) =>
    render(
      <ChartGroup frame={HOURS}>
        <TimeChart label="在线成员" series={series} measure="count" minHeightPx={216} />
      </ChartGroup>,
    )
  const paths = () => [...document.querySelectorAll('.nl-chart-steps path')].map((path) => path.getAttribute('d'))

  it('are steps in SVG, without the chart library and the tool bar', async () => {
    showMembers(toSeries([24, 4], [20, 4], [12, 0], [0, 2]))
    await waitFor(() => expect(paths()).toEqual(['M0 0H500V100H1000V50H1000V100H0Z', 'M0 0H500V100H1000V50H1000']))
    expect(drawn.options).toEqual([])
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('say their last, highest and lowest', () => {
    showMembers()
    expect(legend('在线成员')).toBe('当前 1,200最高 1,200最低 0')
    expect([...document.querySelectorAll('.nl-chart-values span')].map((tick) => tick.textContent)).toEqual([
      '0',
      '500',
      '1,000',
      '1,500',
    ])
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      '在线成员 的曲线，2026-01-14 10:30:00 至 2026-01-15 10:30:00；在线成员当前 1,200，最高 1,200，最低 0',
    )
  })

  it('are read at any time under the pointer', () => {
    showMembers()
    hover('在线成员', 200)
    expect(tips()).toEqual(['昨天 22:30:00在线成员0'])
    hover('在线成员', 199)
    expect(tips()).toEqual(['昨天 22:26:24在线成员4'])
    fireEvent.pointerLeave(plotOf('在线成员'))
    expect(tips()).toEqual([])
  })

  it('are read one by one by keys', async () => {
    const user = userEvent.setup()
    showMembers()
    act(() => plotOf('在线成员').focus())
    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('status').textContent).toBe('10:30:00在线成员1,200')
    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('status').textContent).toBe('昨天 22:45:00在线成员2')
    await user.keyboard('{Home}')
    expect(screen.getByRole('status').textContent).toBe('昨天 10:30:00在线成员4')
    act(() => plotOf('在线成员').blur())
    expect(tips()).toEqual([])
  })

  it('are not known before the first, and the chart says since when they are', async () => {
    showMembers(toSeries([6, 1], [0, 3]))
    expect((await screen.findByText('04:30:00 起有记录')).style.width).toBe('75%')
    hover('在线成员', 50)
    expect(tips()).toEqual(['04:30:00在线成员1'])
    expect(paths()[0]).toMatch(/^M750 .*H750Z$/)
  })
})

describe('stepPaths', () => {
  const box = { visible: { fromMs: 0, toMs: 100 }, top: 4 }
  const line = (...steps: readonly (readonly [number, number | null])[]) =>
    stepPaths(
      steps.map(([atMs, value]) => ({ atMs, value })),
      box,
    ).line

  it('keeps a value until the next point, at its place in time, and zero at the lower edge', () => {
    expect(line([0, 4], [10, 4], [50, 0], [51, 2], [100, 2])).toBe('M0 0H500V100H510V50H1000')
  })

  it('draws one value as a level line, to the end of the frame', () => {
    expect(line([0, 2], [100, 2])).toBe('M0 50H1000')
    expect(line([0, 0], [30, 0])).toBe('M0 100H1000')
  })

  it('begins where the first value does', () => {
    expect(line([75, 4], [100, 4])).toBe('M750 0H1000')
    expect(line()).toBe('')
  })
})
