import { type Finding, print } from '../report.ts'
import { startStack } from '../stack.ts'
import { type EventCounts, PER_ACCOUNT, countEvents } from './events.ts'
import { BROKER_DOLLARS, PLAN_DOLLARS, bill, type Counts, plus, times } from './prices.ts'

/* Bench of costs: a month of 10,000 routers, priced from events that were counted on the running product. */

const BUDGET_DOLLARS = 20

const ROUTERS = 10_000
const ACCOUNTS = ROUTERS / PER_ACCOUNT
const DAYS = 30
/** Reconnects per router and day, after broken lines, deploys and runtime updates, each of which closes the socket. */
const DROPS_A_DAY = 1
const CRON_RUNS = DAYS * 24 * 60
/** Connection log: two lines a drop, kept 200 days, 122 bytes a line with indexes (measured with a million rows). */
const D1_BYTES = ROUTERS * DROPS_A_DAY * 2 * 200 * 122
/** Size of a router's hub: 33 kB, 8.9 kB for each day of slots and 1 kB for each of 180 days (measured). */
const HUB_BYTES = 235_000

export async function benchCost(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/cost/metered/worker.ts'])
  const events = await countEvents(stack).finally(() => stack.stop())
  process.stdout.write('\nCounted events\n')
  console.table(events)
  const idle = priceMonth(toIdleMonth(events))
  const withAlerts = priceMonth(plus(toIdleMonth(events), events.alertsHour, ACCOUNTS * DAYS * 24))
  const budget = { unit: '$', budget: BUDGET_DOLLARS, must: 'stay below' } as const
  const findings: Finding[] = [
    { what: 'Workers Paid', value: PLAN_DOLLARS, unit: '$' },
    ...idle.lines.map(({ what, quantity, dollars }) => ({ what, value: dollars, unit: '$', note: quantity })),
    { what: 'sum', value: idle.dollars, ...budget },
    { what: 'with alerts in every account', value: withAlerts.dollars, ...budget },
    { what: 'managed IoT broker, a message a minute', value: BROKER_DOLLARS, unit: '$' },
  ]
  return print('A month of 10,000 idle routers', findings)
}

function toIdleMonth({ idleDay, drop, cron }: EventCounts): Counts {
  const ofRouters = plus(times(idleDay, ROUTERS * DAYS), drop, ROUTERS * DAYS * DROPS_A_DAY)
  return plus(ofRouters, cron, CRON_RUNS)
}

const priceMonth = (counts: Counts) => bill(counts, ROUTERS * HUB_BYTES, D1_BYTES)
