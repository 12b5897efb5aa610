import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { countText } from '../lib/format-unit.ts'
import './step-curve.css'
import { nextPoint, stepPath } from './step-path.ts'

export interface CurvePoint {
  readonly at: number
  readonly value: number
}

interface StepCurveProps {
  readonly label: string
  /** Oldest first, at equal distances. */
  readonly points: readonly CurvePoint[]
  readonly timeText: (at: number) => string
  readonly isStale?: boolean
}

const WIDTH = 1_000
const HEIGHT = 100

/** A number over time as a stepped line from zero; pointer and arrow keys read single values. */
export function StepCurve({ label, points, timeText, isStale = false }: StepCurveProps) {
  const [picked, setPicked] = useState<number | null>(null)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const values = points.map(({ value }) => value)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const top = Math.max(1, highest)
  const end = points.length - 1
  const index = Math.min(picked ?? end, end)
  const shown = points[index] ?? last
  const line = stepPath(values, { top, width: WIDTH, height: HEIGHT })

  const pick = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = width === 0 ? 1 : (clientX - left) / width
    setPicked(Math.round(Math.min(1, Math.max(0, share)) * end))
  }
  const move = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, index, end)
    if (next === null) return
    event.preventDefault()
    setPicked(next)
  }
  return (
    <figure className="nl-curve" data-stale={isStale}>
      <figcaption>
        <span>
          {label} <strong>{countText(shown.value)}</strong> <span>{timeText(shown.at)}</span>
        </span>
        <span>
          最高 {countText(highest)} · 最低 {countText(lowest)}
        </span>
      </figcaption>
      <div className="nl-curve-plot">
        <span className="nl-curve-axis" aria-hidden="true">
          <span>{countText(top)}</span>
          <span>0</span>
        </span>
        <div
          className="nl-curve-area"
          role="slider"
          tabIndex={0}
          aria-label={`${label}，最高 ${countText(highest)}，最低 ${countText(lowest)}`}
          aria-readonly="true"
          aria-valuemin={0}
          aria-valuemax={end}
          aria-valuenow={index}
          aria-valuetext={`${timeText(shown.at)}，${countText(shown.value)}`}
          onPointerMove={pick}
          onPointerDown={pick}
          onPointerLeave={() => setPicked(null)}
          onBlur={() => setPicked(null)}
          onKeyDown={move}
        >
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path className="nl-curve-fill" d={`${line}V${HEIGHT}H0Z`} />
            <path className="nl-curve-line" d={line} />
          </svg>
          {picked !== null && <Cursor x={index / Math.max(1, end)} y={1 - shown.value / top} />}
        </div>
        <span className="nl-curve-ends" aria-hidden="true">
          <span>{timeText(first.at)}</span>
          <span>{timeText(last.at)}</span>
        </span>
      </div>
    </figure>
  )
}

function Cursor({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <span className="nl-curve-cursor" style={{ left: `${x * 100}%` }}>
      <span style={{ top: `${y * 100}%` }} />
    </span>
  )
}
