import type { ChartPoint, ChartSeries, TimeSpan } from './chart-series.ts'

/* Stepped lines in SVG, for values that hold until the next one; they need no chart library. */

interface StepBox {
  readonly visible: TimeSpan
  /** Value at the upper edge; zero is at the lower one. */
  readonly top: number
}

interface StepCurvesProps extends StepBox {
  readonly series: readonly ChartSeries[]
  readonly momentText: (atMs: number) => string
}

const WIDTH = 1_000
const HEIGHT = 100

export default function StepCurves({ series, momentText, visible, top }: StepCurvesProps) {
  return (
    <>
      <svg className="nl-chart-steps" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ name, colour, drawing, points }) => {
          const { line, fill } = stepPaths(points, { visible, top })
          return (
            <g key={name} style={{ color: `var(${colour})` }}>
              {drawing === 'area' && <path className="nl-chart-steps-fill" d={fill} />}
              <path d={line} strokeDasharray={drawing === 'dashed' ? '4 4' : undefined} />
            </g>
          )
        })}
      </svg>
      <Unrecorded series={series} momentText={momentText} visible={visible} />
    </>
  )
}

const CAPTION_SHARE = 0.3

/** Marks the time before the first value as unrecorded. */
function Unrecorded({ series, momentText, visible: { fromMs, toMs } }: Omit<StepCurvesProps, 'top'>) {
  const first = Math.min(...series.flatMap(({ points }) => points[0]?.atMs ?? []))
  const share = (first - fromMs) / (toMs - fromMs)
  if (share <= 0) return null
  return (
    <span className="nl-chart-unrecorded" style={{ width: `${Math.min(1, share) * 100}%` }} aria-hidden="true">
      {share >= CAPTION_SHARE && `${momentText(first)} 起有记录`}
    </span>
  )
}

/** SVG paths of a line that keeps each value until the next point, over a linear time, and of the area below it. */
export function stepPaths(points: readonly ChartPoint[], { visible: { fromMs, toMs }, top }: StepBox) {
  const x = (atMs: number) => round(((atMs - fromMs) / (toMs - fromMs)) * WIDTH)
  const moves = points.flatMap(({ atMs, value }, index) =>
    value === null || value === points[index - 1]?.value
      ? []
      : { x: x(atMs), y: round(HEIGHT - (value / top) * HEIGHT) },
  )
  const [first, ...rest] = moves
  if (first === undefined) return { line: '', fill: '' }
  const line = `M${first.x} ${first.y}${rest.map((move) => `H${move.x}V${move.y}`).join('')}H${WIDTH}`
  return { line, fill: `${line}V${HEIGHT}H${first.x}Z` }
}

const round = (value: number): number => Math.round(value * 100) / 100
