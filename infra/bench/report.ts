/** One measured figure with its budget; `value` and `budget` in the same unit. */
export interface Finding {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly budget?: number
  /** Whether the value must stay below or reach the budget. */
  readonly must?: 'stay below' | 'reach'
  readonly note?: string
}

export function isMet({ value, budget, must }: Finding): boolean {
  return budget === undefined || (must === 'reach' ? value >= budget : value <= budget)
}

export function print(title: string, findings: readonly Finding[]): void {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map((finding) => {
    const { what, value, unit, budget, must, note = '' } = finding
    const target =
      budget === undefined ? '' : `${must === 'reach' ? '≥' : '≤'} ${budget} ${isMet(finding) ? 'met' : 'MISSED'}`
    return `  ${what.padEnd(width)}  ${shown(value).padStart(10)} ${unit.padEnd(14)} ${target.padEnd(18)} ${note}`
  })
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`)
}

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(4))

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
