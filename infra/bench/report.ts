/* Findings of benches: rounds and medians, verdicts on budgets, and the printed table. */

/** Number of rounds of a timed figure. Counted figures (bytes, rows, dollars) are measured once. */
export const ROUNDS = 5

/** One measured figure with its budget; values and budget in the same unit. */
export interface Finding {
  readonly what: string
  /** Value, or the median of several rounds. */
  readonly value: number
  /** Values of the rounds, if there were several. */
  readonly rounds?: readonly number[]
  readonly unit: string
  readonly budget?: number
  /** Kind of budget: `always be` holds for every round, the others for the median. */
  readonly must?: 'stay below' | 'reach' | 'always be'
  /** Share of the median by which the rounds may differ for a verdict; it is then that of the median. */
  readonly margin?: number
  readonly note?: string
}

export type Verdict = 'met' | 'missed' | 'unclear'

/** Verdict on a budget; `unclear` if the rounds lie on both sides of it, or differ by more than the margin of the figure. */
export function judge({ value, rounds = [value], budget, must, margin }: Finding): Verdict | null {
  if (budget === undefined) return null
  if (must === 'always be') return rounds.every((round) => round === budget) ? 'met' : 'missed'
  const isMet = (round: number) => (must === 'reach' ? round >= budget : round <= budget)
  const met = rounds.filter(isMet)
  if (met.length === rounds.length) return 'met'
  if (margin !== undefined && !differsBy(rounds, margin * Math.abs(value))) return isMet(value) ? 'met' : 'missed'
  return margin === undefined && met.length === 0 ? 'missed' : 'unclear'
}

const differsBy = (rounds: readonly number[], most: number): boolean => Math.max(...rounds) - Math.min(...rounds) > most

/** Repeats a measurement and merges its findings by name: the median and the values of all rounds. */
export async function inRounds(
  measure: (round: number) => Promise<readonly Finding[]>,
  count = ROUNDS,
): Promise<readonly Finding[]> {
  const measured: (readonly Finding[])[] = []
  for (let round = 0; round < count; round++) measured.push(await measure(round))
  return (measured[0] ?? []).map((first) => {
    const same = measured.flatMap((findings) => findings.filter(({ what }) => what === first.what))
    const rounds = same.map(({ value }) => value)
    const value = median(rounds)
    return { ...(same.find((finding) => finding.value === value) ?? first), value, rounds }
  })
}

const WORDS: Readonly<Record<Verdict, string>> = { met: 'met', missed: 'MISSED', unclear: 'neither met nor missed' }
const SIGNS = { 'stay below': '≤', reach: '≥', 'always be': '=' } as const

/** Prints findings as a table, and returns them. */
export function print(title: string, findings: readonly Finding[]): readonly Finding[] {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map((finding) => {
    const { what, value, rounds = [], unit, budget, must = 'stay below', note = '' } = finding
    const verdict = judge(finding)
    const target = verdict === null ? '' : `${SIGNS[must]} ${budget} ${WORDS[verdict]}`
    const spread = rounds.length > 1 ? `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}` : ''
    return `  ${what.padEnd(width)}  ${shown(value).padStart(10)} ${unit.padEnd(14)} ${target.padEnd(18)} ${spread.padEnd(16)} ${note}`.trimEnd()
  })
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`)
  return findings
}

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(4))

/** Result of some work, and the time that it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startedAt }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const quantile =
  (share: number) =>
  (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0

export const p95 = quantile(0.95)
export const p99 = quantile(0.99)
