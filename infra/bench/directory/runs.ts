import { type Finding, median } from '../report.ts'
import type { Metered } from './product.ts'
import type { RunCost } from './run-cost.ts'

const RUNS = 3
const BUDGET = { seconds: 10, unchangedRows: 5, importTrips: 10, importRatio: 10 } as const

/** What runs take and write: a check, the first import, and runs that change nothing. */
export async function benchRuns({
  company,
  line,
  users,
  run,
  lastRun,
  insertBare,
}: Metered): Promise<readonly Finding[]> {
  const startedAt = performance.now()
  const listed = await company.check()
  const checkSeconds = (performance.now() - startedAt) / 1000
  if (listed !== users) throw new Error(`${listed} of ${users} users`)
  const added = await company.importAll()
  const first = await lastRun()
  const bare = await repeat(insertBare)
  const unchanged = await repeat(run)
  const { members } = await company.outcome()
  if (members !== added) throw new Error(`${members} members after an import of ${added}`)

  const { delayMs } = line
  line.delayMs = 0
  const near = await repeat(run)
  line.delayMs = delayMs
  const importMs = writingMs(first)
  return [
    {
      what: `list and compare ${users}, ${delayMs * 2} ms from the agent`,
      value: Math.max(checkSeconds, ...unchanged.map(secondsOf)),
      unit: 's',
      budget: BUDGET.seconds,
      must: 'stay below',
      note: `longest of a check and ${RUNS} runs; without the delay ${Math.max(...near.map(secondsOf)).toFixed(1)} s`,
    },
    {
      what: 'run without change',
      value: Math.max(...unchanged.map(rowsOf)),
      unit: 'rows written',
      budget: BUDGET.unchangedRows,
      must: 'stay below',
      note: `${unchanged[0]?.ownRowsWritten} of the hub, its alarm included`,
    },
    {
      what: `first import, of ${added}`,
      value: first.trips.length,
      unit: 'trips',
      budget: BUDGET.importTrips,
      must: 'stay below',
      note: `to D1, of the whole run; ${rowsOf(first)} rows written`,
    },
    {
      what: 'the same: plan and write',
      value: importMs / median(bare),
      unit: '× INSERT',
      budget: BUDGET.importRatio,
      must: 'stay below',
      note: `${importMs} ms against ${median(bare)} ms`,
    },
  ]
}

async function repeat<T>(work: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let index = 0; index < RUNS; index++) all.push(await work())
  return all
}

const secondsOf = ({ from, to }: RunCost): number => (to - from) / 1000
const rowsOf = ({ trips, ownRowsWritten }: RunCost): number =>
  trips.reduce((sum, { rowsWritten }) => sum + rowsWritten, ownRowsWritten)

/** From the last read before the first write, which is of the members, to the end. */
function writingMs({ trips, to }: RunCost): number {
  const read = trips[trips.findIndex(({ rowsWritten }) => rowsWritten > 0) - 1]
  if (!read) throw new Error('the import wrote nothing')
  return to - read.to
}
