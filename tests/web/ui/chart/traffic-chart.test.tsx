import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TrafficChart } from '#ui/chart/traffic-chart.tsx'
import { TrafficChartGroup } from '#ui/chart/traffic-chart-group.tsx'
import { chartText, type TrafficFrame, type TrafficPoint } from '#ui/chart/traffic-series.ts'

/** Calls of the chart library, which draws on a canvas that jsdom lacks. */
const drawn = vi.hoisted(() => ({
  options: [] as Record<string, unknown>[],
  data: [] as Record<string, unknown>[][],
  removed: 0,
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
    createChart: (_: HTMLElement, options: Record<string, unknown>) => {
      drawn.options.push(options)
      return {
        addSeries: series,
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
const LIVE: TrafficFrame = { fromMs: NOW - 40_000, toMs: NOW, stepMs: 1_000, axis: 'live' }
const HOUR: TrafficFrame = { fromMs: NOW - 3_600_000, toMs: NOW, stepMs: 60_000, axis: 'clock' }
const at = (second: number, mbps: number, upMbps: number | null = null): TrafficPoint => ({
  atMs: NOW + second * 1_000,
  downBitsPerSecond: mbps * 1e6,
  upBitsPerSecond: upMbps === null ? null : upMbps * 1e6,
})
const points = [at(-2, 8), at(-1, 2), at(0, 5)]

function show(frame: TrafficFrame, shown: readonly TrafficPoint[] = points, second: readonly TrafficPoint[] = []) {
  return render(
    <TrafficChartGroup frame={frame} title="流量" resolution="每秒一次">
      <TrafficChart label="wan0" points={shown} />
      <TrafficChart label="wan1" points={second} />
    </TrafficChartGroup>,
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
  Object.assign(drawn, { options: [], data: [], removed: 0, views: [], shift: 0 })
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
    <TrafficChartGroup
      frame={{ ...LIVE, fromMs: LIVE.fromMs + second * 1_000, toMs: LIVE.toMs + second * 1_000 }}
      title="流量"
      resolution=""
    >
      <TrafficChart label="wan0" points={[...points, at(second, 7)]} />
    </TrafficChartGroup>
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
    <TrafficChartGroup frame={LIVE} title="流量" resolution="">
      <TrafficChart label="wan1" points={[]} empty="等待数据…" />
    </TrafficChartGroup>,
  )
  expect(screen.queryByText('等待数据…')).not.toBeNull()
  expect(screen.queryByText('−40 s')).not.toBeNull()
  expect(drawn.options).toEqual([])
})

it('silent, keeps its curve and has no present rate', async () => {
  render(
    <TrafficChartGroup frame={{ ...LIVE, axis: 'clock' }} title="流量" resolution="">
      <TrafficChart label="wan0" points={points} silence="离线自 2026-01-15 10:30:00" />
    </TrafficChartGroup>,
  )
  await waitFor(() => expect(drawn.data).toHaveLength(3))
  expect(screen.queryByText('离线自 2026-01-15 10:30:00')).not.toBeNull()
  expect(screen.getByText('wan0').closest<HTMLElement>('.nl-chart-content')?.dataset['silent']).toBe('true')
  expect(legend('wan0')).toContain('当前 —平均 5.00峰值 8.00')
})

it('folded, shows the present rates alone', async () => {
  const onToggle = vi.fn<() => void>()
  render(
    <TrafficChartGroup frame={LIVE} title="流量" resolution="">
      <TrafficChart label="lan0" points={points} fold={{ isOpen: false, onToggle }} />
    </TrafficChartGroup>,
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
    <TrafficChartGroup frame={LIVE} title="流量" resolution="">
      <TrafficChart label="wan0" points={[at(0, mbps)]} />
    </TrafficChartGroup>
  )
  const { rerender } = render(chart(1))
  act(() => report([{ isIntersecting: false }]))
  rerender(chart(2))
  expect(legend('wan0')).toContain('当前 1.00')
  act(() => report([{ isIntersecting: true }]))
  expect(legend('wan0')).toContain('当前 2.00')
  vi.unstubAllGlobals()
})

describe('in words', () => {
  it('names span, last, mean and highest of each line', () => {
    expect(chartText('wan0', points, LIVE, 'bit')).toBe(
      'wan0 的上下行速率曲线，2026-01-15 10:29:58 至 2026-01-15 10:30:00；下行当前 5.00 Mbit/s，平均 5.00 Mbit/s，峰值 8.00 Mbit/s；上行无数据',
    )
    show(LIVE)
    const [plot] = screen.getAllByRole('img')
    expect(plot?.getAttribute('aria-label')).toMatch(/^wan0 的上下行速率曲线，.*上行无数据$/)
    expect(within(plotOf('wan0')).getByRole('img')).toBe(plot)
  })

  it('distinguishes a missing last value from zero', () => {
    const gap = { atMs: NOW, downBitsPerSecond: null, upBitsPerSecond: 0 }
    expect(chartText('wan0', [at(-1, 2), gap], LIVE, 'byte')).toMatch(/下行当前 无数据，平均 .*；上行当前 0/)
    expect(chartText('wan0', [], LIVE, 'bit')).toContain('暂无数据')
  })
})
