import { RATE_UNIT, rateNumber } from '#lib/format-unit.ts'
import { downOf, downPeakOf, type RateOf, stats, type TrafficPoint, upOf, upPeakOf } from './traffic-series.ts'
import { useTrafficUnit } from './traffic-unit.ts'
import { useTrafficView } from './traffic-view.ts'

interface TrafficLegendProps {
  readonly points: readonly TrafficPoint[]
  /** The latest rates only, with the unit that the axis would name. */
  readonly isShort: boolean
  /** Without new samples there is no present rate. */
  readonly isSilent: boolean
}

const FIGURES = [
  { key: 'now', label: '当前' },
  { key: 'mean', label: '平均' },
  { key: 'peak', label: '峰值' },
] as const

/** What each line shows: now, mean and peak of what is in sight. */
export function TrafficLegend({ points, isShort, isSilent }: TrafficLegendProps) {
  const [unit] = useTrafficUnit()
  const figures = isShort ? FIGURES.slice(0, 1) : FIGURES
  const { visible } = useTrafficView()
  const line = (name: string, className: string, rate: RateOf, peakOf: RateOf) => {
    const found = stats(points, rate, visible, peakOf)
    const shown = isSilent ? { ...found, now: null } : found
    return (
      <span className="nl-chart-line">
        <span className={`nl-chart-key ${className}`}>{name}</span>
        {figures.map(({ key, label }) => {
          const value = shown[key]
          return (
            <span key={key} className="nl-chart-figure">
              {label} <b>{value === null ? '—' : rateNumber(value, unit)}</b>
            </span>
          )
        })}
      </span>
    )
  }
  return (
    <span className="nl-chart-legend">
      {line('下行', 'nl-chart-down', downOf, downPeakOf)}
      {line('上行', 'nl-chart-up', upOf, upPeakOf)}
      {isShort && <span>{RATE_UNIT[unit].name}</span>}
    </span>
  )
}
