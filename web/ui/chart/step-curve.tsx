import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { countText } from '#lib/format/format-unit.ts'
import './step-curve.css'
import { type CurvePoint, nextPoint, pointAt, toShare, stepPath } from './step-path.ts'

interface StepCurveProps {
  readonly label: string
  /** Oldest first; each value holds until the next point. */
  readonly points: readonly CurvePoint[]
  /** Time at the left edge; the last point is at the right one. */
  readonly from: number
  readonly timeText: (at: number) => string
  readonly isStale?: boolean
}

const WIDTH = 1_000
const HEIGHT = 100

/** A number over time as a stepped line from zero; pointer and arrow keys read single values. */
export function StepCurve({ label, points, from, timeText, isStale = false }: StepCurveProps) {
  /** A time, so that the cursor stays where it is while points come. */
  const [picked, setPicked] = useState<number | null>(null)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const values = points.map(({ value }) => value)
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const top = Math.max(1, highest)
  const to = last.at
  const end = points.length - 1
  const at = picked === null ? to : Math.min(to, Math.max(first.at, picked))
  const index = pointAt(points, at)
  const shown = points[index] ?? last
  const box = { from, to, top, width: WIDTH, height: HEIGHT }
  const line = stepPath(points, box)
  const startX = toShare(first.at, from, to) * WIDTH

  const pick = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPicked(width === 0 ? to : from + toShare(clientX, left, left + width) * (to - from))
  }
  const move = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, index, end)
    if (next === null) return
    event.preventDefault()
    setPicked(points[next]?.at ?? null)
  }
  return (
    <figure className="nl-curve" data-stale={isStale}>
      <figcaption>
        <span>
          {label} <strong>{countText(shown.value)}</strong> <span>{timeText(at)}</span>
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
          aria-valuetext={`${timeText(at)}，${countText(shown.value)}`}
          onPointerMove={pick}
          onPointerDown={pick}
          onPointerLeave={() => setPicked(null)}
          onBlur={() => setPicked(null)}
          onKeyDown={move}
        >
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path className="nl-curve-fill" d={`${line}V${HEIGHT}H${startX}Z`} />
            <path className="nl-curve-line" d={line} />
          </svg>
          <Unrecorded share={toShare(first.at, from, to)} until={timeText(first.at)} />
          {picked !== null && <Cursor x={toShare(at, from, to)} y={1 - shown.value / top} />}
        </div>
        <span className="nl-curve-ends" aria-hidden="true">
          <span>{timeText(from)}</span>
          <span>{timeText(to)}</span>
        </span>
      </div>
    </figure>
  )
}

const CAPTION_SHARE = 0.3

/** The time before the first point, of which nothing is known. */
function Unrecorded({ share, until }: { readonly share: number; readonly until: string }) {
  if (share <= 0) return null
  return (
    <span className="nl-curve-unrecorded" style={{ width: `${share * 100}%` }} aria-hidden="true">
      {share >= CAPTION_SHARE && `${until} 起有记录`}
    </span>
  )
}

function Cursor({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <span className="nl-curve-cursor" style={{ left: `${x * 100}%` }}>
      <span style={{ top: `${y * 100}%` }} />
    </span>
  )
}
