import { lazy, Suspense, useMemo, useState } from 'react'
import { chartText, type ChartUnit, momentText, timeTicks, valueAxis } from './chart-axis.ts'
import { ChartCrosshair, useCrosshairInput } from './chart-crosshair.tsx'
import { useChartView } from './chart-group.tsx'
import { type ChartSeries, isHeld, plot, stats } from './chart-series.ts'

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

const percent = (part: number): string => `${(part * 100).toFixed(3)}%`
