import { lazy, Suspense, useMemo, useState } from 'react'
import { chartText, type ChartUnit, momentText, timeTicks, valueAxis } from './chart-axis.ts'
import { ChartCrosshair, useCrosshairInput } from './chart-crosshair.tsx'
import { type ChartView, useChartView } from './chart-group.tsx'
import { type ChartPoint, type ChartSeries, isHeld, momentsOf, plot, stats, type TimeSpan } from './chart-series.ts'

interface ChartPlotProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly unit: ChartUnit
  /** Stands over the curves. */
  readonly message: string | undefined
  readonly empty: string
}

const Canvas = lazy(() => import('./chart-canvas.tsx'))

/** Axes and curves. The chart library, its own chunk, comes when averages are drawn; steps do without it. */
export function ChartPlot({ label, series, unit, message, empty }: ChartPlotProps) {
  const view = useChartView()
  const { frame, visible } = view
  const { top, ticks } = valueAxis(Math.max(0, ...series.map((one) => stats(one, visible).highest ?? 0)), unit)
  const [isFocused, setIsFocused] = useState(false)
  const isSteps = isHeld(frame)
  const lines = useMemo(
    () => series.map((one) => ({ ...one, points: isSteps ? [] : plot(one.points, frame) })),
    [series, frame, isSteps],
  )
  const isEmpty = (isSteps ? series : lines).every(({ points }) => points.length === 0)
  const text = message ?? (isEmpty ? empty : undefined)
  return (
    <>
      <span className="nl-chart-unit" aria-hidden="true">
        {unit.name}
      </span>
      <div className="nl-chart-values" aria-hidden="true">
        {ticks.map(({ at, text: value }) => (
          <span key={at} style={{ bottom: percent(at) }}>
            {value}
          </span>
        ))}
      </div>
      <div
        className="nl-chart-plot"
        role="group"
        tabIndex={0}
        data-drags={view.pan !== null}
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false)
          view.hover.set(null)
        }}
        {...useCrosshairInput(view, series)}
        aria-label={`${label} 曲线，按左右方向键查看数值`}
      >
        {ticks.map(({ at }) => (
          <i key={at} className="nl-chart-grid" style={{ bottom: percent(at) }} />
        ))}
        <div className="nl-chart-canvas" role="img" aria-label={chartText(label, series, visible, unit)}>
          {isEmpty ? null : isSteps ? (
            <StepCurves series={series} visible={visible} top={top} />
          ) : (
            <Suspense fallback={null}>
              <Canvas lines={lines} frame={frame} visible={visible} top={top} />
            </Suspense>
          )}
        </div>
        {isSteps && <Unrecorded series={series} view={view} />}
        <ChartCrosshair series={series} unit={unit} top={top} isRead={isFocused} />
        {text !== undefined && <p className="nl-chart-message">{text}</p>}
      </div>
      <div className="nl-chart-times" aria-hidden="true">
        {timeTicks(visible, frame.axis).map(({ at, text: time }) => (
          <span
            key={time}
            style={{ left: percent(at) }}
            data-edge={at > 0.97 ? 'end' : at < 0.03 ? 'start' : undefined}
          >
            {time}
          </span>
        ))}
      </div>
    </>
  )
}

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`

const CAPTION_SHARE = 0.3

/** The time before the first value that holds, of which nothing is known. */
function Unrecorded({
  series,
  view: { frame, visible },
}: Pick<ChartPlotProps, 'series'> & { readonly view: ChartView }) {
  const [first] = momentsOf(series)
  const share = first === undefined ? 0 : (first - visible.fromMs) / (visible.toMs - visible.fromMs)
  if (first === undefined || share <= 0) return null
  return (
    <span className="nl-chart-unrecorded" style={{ width: percent(Math.min(1, share)) }} aria-hidden="true">
      {share >= CAPTION_SHARE && `${momentText(first, frame)} 起有记录`}
    </span>
  )
}

interface StepBox {
  readonly visible: TimeSpan
  /** Value at the upper edge; zero is at the lower one. */
  readonly top: number
}
const STEP_BOX = { width: 1_000, height: 100 } as const

/** Values that hold until the next one, as stepped lines. */
function StepCurves({ series, ...box }: StepBox & Pick<ChartPlotProps, 'series'>) {
  const { width, height } = STEP_BOX
  return (
    <svg className="nl-chart-steps" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {series.map(({ name, colour, drawing, points }) => {
        const { line, fill } = stepPaths(points, box)
        return (
          <g key={name} style={{ color: `var(${colour})` }}>
            {drawing === 'area' && <path className="nl-chart-steps-fill" d={fill} />}
            <path d={line} strokeDasharray={drawing === 'dashed' ? '4 4' : undefined} />
          </g>
        )
      })}
    </svg>
  )
}

/** SVG paths of a line that keeps each value until the next point, over a linear time, and of the area below it. */
export function stepPaths(points: readonly ChartPoint[], { visible: { fromMs, toMs }, top }: StepBox) {
  const { width, height } = STEP_BOX
  const x = (atMs: number) => round(((atMs - fromMs) / (toMs - fromMs)) * width)
  const moves = points.flatMap(({ atMs, value }, index) =>
    value === null || value === points[index - 1]?.value
      ? []
      : { x: x(atMs), y: round(height - (value / top) * height) },
  )
  const [first, ...rest] = moves
  if (first === undefined) return { line: '', fill: '' }
  const line = `M${first.x} ${first.y}${rest.map((move) => `H${move.x}V${move.y}`).join('')}H${width}`
  return { line, fill: `${line}V${height}H${first.x}Z` }
}

const round = (value: number): number => Math.round(value * 100) / 100
