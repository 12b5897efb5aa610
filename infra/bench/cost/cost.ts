import { SERIES } from '#contract/kernel/hub-limits.ts'
import { type Finding, print } from '../report.ts'
import { startStack } from '../stack.ts'
import { type EventCounts, PER_ACCOUNT, countEvents } from './events.ts'
import { type Bill, BROKER_DOLLARS, PLAN_DOLLARS, bill, type Counts, noCounts, plus, times } from './prices.ts'

const BUDGET_DOLLARS = 20

/** The fleet that is priced. */
const ROUTERS = 10_000
const ACCOUNTS = ROUTERS / PER_ACCOUNT
const DAYS = 30
/** Reconnects per router: broken lines, deploys and runtime updates, each of which closes the socket. */
const DROPS_A_DAY = 1
const NEW_ROUTERS = ROUTERS / 50
const CRON_RUNS = DAYS * 24 * 60
/** A connection log of two lines a drop, kept 200 days, 122 bytes a line with its indexes (measured with a million rows). */
const D1_BYTES = ROUTERS * DROPS_A_DAY * 2 * 200 * 122

/** Counts that show a reader which event moved. */
const COLUMNS: readonly (keyof Counts)[] = [
  'workerRequests',
  'hubRequests',
  'hubMessages',
  'hubRowsRead',
  'hubRowsWritten',
  'alarmsSet',
  'd1RowsRead',
  'd1RowsWritten',
  'logLines',
]

/** A month of 10,000 routers, priced from events that were counted on the running product. */
export async function benchCost(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/cost/metered/worker.ts'])
  const events = await countEvents(stack).finally(() => stack.stop())
  const idle = idleMonth(events)
  const { hubBytes, slotDayBytes, rolledDayBytes, counted } = events
  const trafficBytes = slotDayBytes * (SERIES.slotDays + 1) + rolledDayBytes * SERIES.days
  const price = (counts: Counts) => bill(counts, ROUTERS * (hubBytes + trafficBytes), D1_BYTES)
  const withAlerts = (share: number) => price(plus(idle, counted.alertsHour, ACCOUNTS * share * DAYS * 24)).dollars

  process.stdout.write('\nCounted events\n')
  const rows = Object.entries(counted).map(([name, counts]) => [name, toRow(counts)])
  console.table(Object.fromEntries(rows), COLUMNS)
  const bytes = [slotDayBytes, rolledDayBytes].map((value) => value.toFixed(0))
  process.stdout.write(`A router's hub ${hubBytes} bytes, a day of slots ${bytes[0]}, a day rolled up ${bytes[1]}\n`)
  const budget = { unit: '$', budget: BUDGET_DOLLARS, must: 'stay below' } as const
  const findings: Finding[] = [
    ...toFindings(price(idle)),
    { what: 'sum', value: price(idle).dollars, ...budget },
    { what: 'with alerts in every second account', value: withAlerts(0.5), unit: '$' },
    { what: 'with alerts in every account', value: withAlerts(1), ...budget },
    { what: 'managed IoT broker, a message a minute', value: BROKER_DOLLARS, unit: '$' },
  ]
  print('A month of 10,000 idle routers', findings)
  return findings
}

const idleMonth = ({ counted }: EventCounts): Counts =>
  sum([
    times(counted.idleDay, ROUTERS * DAYS),
    times(counted.drop, ROUTERS * DAYS * DROPS_A_DAY),
    times(counted.firstConnect, NEW_ROUTERS),
    times(counted.cron, CRON_RUNS),
  ])

const sum = (all: readonly Counts[]): Counts => all.reduce((total, counts) => plus(total, counts), noCounts)

const toFindings = ({ lines }: Bill): Finding[] => [
  { what: 'Workers Paid', value: PLAN_DOLLARS, unit: '$' },
  ...lines.map(({ what, quantity, dollars }) => ({ what, value: dollars, unit: '$', note: quantity })),
]

const toRow = (counts: Counts) =>
  Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Math.round(value * 10) / 10]))
