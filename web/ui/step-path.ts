interface Box {
  /** Value at the upper edge; zero is at the lower one. */
  readonly top: number
  readonly width: number
  readonly height: number
}

/** SVG path of a line that keeps each value until the next point. */
export function stepPath(values: readonly number[], { top, width, height }: Box): string {
  const x = (index: number) => round((index / Math.max(1, values.length - 1)) * width)
  const y = (value: number) => round(height - (value / top) * height)
  const [first = 0, ...rest] = values
  let path = `M0 ${y(first)}`
  let before = first
  for (const [n, value] of rest.entries()) {
    if (value !== before) path += `H${x(n + 1)}V${y(value)}`
    before = value
  }
  return `${path}H${width}`
}

const round = (value: number): number => Math.round(value * 100) / 100

const PAGE = 12

/** Where a key moves the cursor; null for any other key. */
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
