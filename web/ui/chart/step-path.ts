export interface CurvePoint {
  readonly at: number
  readonly value: number
}

interface Box {
  /** Times at the left and right edge. */
  readonly from: number
  readonly to: number
  /** Value at the upper edge; zero is at the lower one. */
  readonly top: number
  readonly width: number
  readonly height: number
}

/** SVG path of a line that keeps each value until the next point, over a linear time. */
export function stepPath(points: readonly CurvePoint[], { from, to, top, width, height }: Box): string {
  const x = (at: number) => round(toShare(at, from, to) * width)
  const y = (value: number) => round(height - (value / top) * height)
  const [first, ...rest] = points
  if (first === undefined) return ''
  let path = `M${x(first.at)} ${y(first.value)}`
  let before = first.value
  for (const { at, value } of rest) {
    if (value !== before) path += `H${x(at)}V${y(value)}`
    before = value
  }
  return `${path}H${x(rest.at(-1)?.at ?? to)}`
}

/** Position of a time between two others, 0 to 1. */
export const toShare = (at: number, from: number, to: number): number =>
  to <= from ? 1 : Math.min(1, Math.max(0, (at - from) / (to - from)))

/** The point whose value holds at a time; the first for any time before it. */
export const pointAt = (points: readonly CurvePoint[], at: number): number =>
  Math.max(
    0,
    points.findLastIndex((point) => point.at <= at),
  )

const round = (value: number): number => Math.round(value * 100) / 100

const PAGE = 12

/** Index of the point that a key moves the cursor to; null for any other key. */
export function nextPoint(key: string, index: number, end: number): number | null {
  const next: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - PAGE,
    PageUp: index + PAGE,
    Home: 0,
    End: end,
  }
  const to = next[key]
  return to === undefined ? null : Math.min(end, Math.max(0, to))
}
