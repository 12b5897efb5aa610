import { type Finding, print } from '../report.ts'
import { startStack } from '../stack.ts'
import { type EventCounts, countEvents } from './events.ts'
import { priceMonth, toHubBytes, toIdleMonth, toUsedMonth, withAlerts } from './months.ts'
import { BROKER_DOLLARS, PLAN_DOLLARS, PRICES_OF, type Counts } from './prices.ts'

/* Bench of costs: months of fleets with two tunnels a router, priced from events that were counted on the running product. */

interface Month {
  readonly what: string
  readonly routers: number
  readonly budget: number
  readonly counts: (counted: EventCounts['counted'], routers: number) => Counts
}

const MONTHS: readonly Month[] = [
  { what: 'idle', routers: 10_000, budget: 13, counts: toIdleMonth },
  { what: 'in use', routers: 10_000, budget: 45, counts: toUsedMonth },
  {
    what: 'in use, with alerts in every account',
    routers: 10_000,
    budget: 55,
    counts: (counted, routers) => withAlerts(toUsedMonth(counted, routers), counted, routers),
  },
  { what: 'in use', routers: 100_000, budget: 950, counts: toUsedMonth },
]

export async function benchCost(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/cost/metered/worker.ts'])
  const events = await countEvents(stack).finally(() => stack.stop())
  process.stdout.write('\nCounted events\n')
  console.table(Object.fromEntries(Object.entries(events.counted).map(([name, counts]) => [name, rounded(counts)])))
  process.stdout.write(`A router's hub after 180 days: ${Math.round(toHubBytes(events.stored))} bytes\n`)
  return MONTHS.flatMap((month) => printMonth(month, events))
}

function printMonth({ what, routers, budget, counts }: Month, { counted, stored }: EventCounts): readonly Finding[] {
  const { lines, dollars } = priceMonth(counts(counted, routers), stored, routers)
  const title = `A month of ${routers.toLocaleString('en')} routers, ${what}, at the prices of ${PRICES_OF}`
  return print(title, [
    { what: 'Workers Paid', value: PLAN_DOLLARS, unit: '$' },
    ...lines.map((line) => ({ what: line.what, value: line.dollars, unit: '$', note: line.quantity })),
    { what: 'sum', value: dollars, unit: '$', budget, must: 'stay below' },
    { what: 'managed IoT broker, a message a minute', value: (BROKER_DOLLARS * routers) / 10_000, unit: '$' },
  ])
}

const rounded = (counts: Counts) =>
  Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, Math.round(value * 10) / 10]))
