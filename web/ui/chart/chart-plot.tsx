import { lazy, Suspense, useMemo, useState } from 'react'
import { chartText, type ChartUnit, momentText, timeTicks, valueAxis } from './chart-axis.ts'
import { ChartCrosshair, useCrosshairInput } from './chart-crosshair.tsx'
import { useChartView } from './chart-group.tsx'
import { type ChartSeries, earlierEnd, isHeld, plot, stats, type TimeSpan } from './chart-series.ts'

/* Axes and curves of a chart. The chart library loads only for averages; steps need none. */

interface ChartPlotProps {
  readonly label: string
  readonly series: readonly ChartSeries[]
  readonly unit: ChartUnit
  readonly message: string | undefined
  readonly empty: string
}

const Canvas = lazy(() => import('./chart-canvas.tsx'))
const StepCurves = lazy(() => import('./step-curves.tsx'))

export function ChartPlot({ label, series, unit, message, empty }: ChartPlotProps) {
  const view = useChartView()
  const { frame, visible } = view
  const endMs = earlierEnd(series, visible)
  const earlier = endMs === null ? [] : series.flatMap((one) => one.earlier?.value ?? [])
  const { top, ticks } = valueAxis(
    Math.max(0, ...series.map((one) => stats(one, visible).highest ?? 0), ...earlier),
    unit,
  )
  const [isFocused, setIsFocused] = useState(false)
  const isSteps = isHeld(frame)
  const lines = useMemo(
    () => series.map((one) => ({ ...one, points: isSteps ? [] : plot(one.points, frame) })),
    [series, frame, isSteps],
  )
  const isEmpty = (isSteps ? series : lines).every(({ points }) => points.length === 0)
  const text = message ?? (isEmpty && earlier.length === 0 ? empty : undefined)
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
        {endMs !== null && <EarlierLevels {...{ series, visible, top, endMs }} />}
        <div className="nl-chart-canvas" role="img" aria-label={chartText(label, series, visible, unit)}>
          {!isEmpty && (
            <Suspense fallback={null}>
              {isSteps ? (
                <StepCurves
                  series={series}
                  momentText={(atMs) => momentText(atMs, frame)}
                  visible={visible}
                  top={top}
                />
              ) : (
                <Canvas lines={lines} frame={frame} visible={visible} top={top} />
              )}
            </Suspense>
          )}
        </div>
        <ChartCrosshair series={series} unit={unit} top={top} isRead={isFocused} />
        {text !== undefined && <p className="nl-chart-message">{text}</p>}
      </div>
      <div className="nl-chart-times" aria-hidden="true">
        {timeTicks(visible, frame.axis).map(({ at, text: time }) => (
          <span key={at} style={{ left: percent(at) }} data-edge={at > 0.97 ? 'end' : at < 0.03 ? 'start' : undefined}>
            {time}
          </span>
        ))}
      </div>
    </>
  )
}

interface EarlierLevelsProps extends Pick<ChartPlotProps, 'series'> {
  readonly visible: TimeSpan
  readonly top: number
  readonly endMs: number
}

const CAPTION_SHARE = 0.3

/** Grey bands as high as the earlier averages, up to the first sample. */
function EarlierLevels({ series, visible: { fromMs, toMs }, top, endMs }: EarlierLevelsProps) {
  const share = (endMs - fromMs) / (toMs - fromMs)
  const label = series.find(({ earlier }) => earlier !== undefined)?.earlier?.label
  return (
    <div className="nl-chart-earlier" style={{ width: percent(share) }} aria-hidden="true">
      {series.map(
        ({ name, drawing, earlier }) =>
          earlier !== undefined && (
            <i key={name} data-drawing={drawing} style={{ height: percent(earlier.value / top) }} />
          ),
      )}
      {share >= CAPTION_SHARE && <span>{label}</span>}
    </div>
  )
}

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`
