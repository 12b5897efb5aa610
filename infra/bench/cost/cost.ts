import { SERIES } from '#contract/kernel/hub-limits.ts'
import { type Finding, print } from '../report.ts'
import { startStack } from '../stack.ts'
import { type Counts, noCounts, plus, times } from './counts.ts'
import { type EventCounts, PER_ACCOUNT, countEvents } from './events.ts'
import { type Bill, BROKER_DOLLARS, PLAN_DOLLARS, bill } from './prices.ts'

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

/** In use: half of the accounts with a console open in office hours, 2 % of routers and networks watched. */
const HOURS_OPEN = 8
const CONSOLES = ACCOUNTS / 2
const WATCHED_SHARE = 0.02
/** A console's day. A refresh of the session is priced as a sign-in. */
const CONSOLE_DAY = { signIn: 1 + 2 * HOURS_OPEN, list: 100, save: 10 } as const

/** A month of 10,000 routers, priced from events that were counted on the running product. */
export async function benchCost(): Promise<readonly Finding[]> {
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/cost/metered/worker.ts'])
  const events = await countEvents(stack).finally(() => stack.stop())
  const idle = idleMonth(events)
  const inUse = plus(idle, useMonth(events))
  const trafficBytes = events.slotDayBytes * (SERIES.slotDays + 1) + events.rolledDayBytes * SERIES.days
  const hubBytes = ROUTERS * (events.hubBytes + trafficBytes)
  const price = (counts: Counts) => bill(counts, hubBytes, D1_BYTES)
  const withAlerts = (share: number) => price(plus(idle, alertsMonth(events, share)))

  printEvents(events)
  const findings: Finding[] = [
    ...lines(price(idle)),
    { what: 'sum', value: price(idle).dollars, unit: '$', budget: BUDGET_DOLLARS, must: 'stay below' },
    { what: 'with alerts in every second account', value: withAlerts(0.5).dollars, unit: '$' },
    {
      what: 'with alerts in every account',
      value: withAlerts(1).dollars,
      unit: '$',
      budget: BUDGET_DOLLARS,
      must: 'stay below',
    },
    { what: 'managed IoT broker, a message a minute', value: BROKER_DOLLARS, unit: '$' },
  ]
  print('A month of 10,000 idle routers', findings)
  const used: Finding[] = [...lines(price(inUse)), { what: 'sum', value: price(inUse).dollars, unit: '$' }]
  print(`The same with ${CONSOLES} consoles and ${WATCHED_SHARE * 100} % watched ${HOURS_OPEN} h a day`, used)
  return [...findings, ...used]
}

function idleMonth({ idleDay, drop, firstConnect, cron }: EventCounts): Counts {
  return sum([
    times(idleDay, ROUTERS * DAYS),
    times(drop, ROUTERS * DAYS * DROPS_A_DAY),
    times(firstConnect, NEW_ROUTERS),
    times(cron, CRON_RUNS),
  ])
}

function useMonth({ consoleHour, networkHour, streamHour, ...calls }: EventCounts): Counts {
  const hours = HOURS_OPEN * DAYS
  const aDay = sum([
    times(calls.signIn, CONSOLE_DAY.signIn),
    times(calls.list, CONSOLE_DAY.list),
    times(calls.save, CONSOLE_DAY.save),
  ])
  return sum([
    times(consoleHour, CONSOLES * hours),
    times(networkHour, ACCOUNTS * WATCHED_SHARE * hours),
    times(streamHour, ROUTERS * WATCHED_SHARE * hours),
    times(aDay, CONSOLES * DAYS),
  ])
}

/** What a share of the accounts costs more because its alerts are on: its hubs check leases (durable/account-hub/lease-sweep.ts). */
const alertsMonth = ({ alertsHour }: EventCounts, share: number): Counts =>
  times(alertsHour, ACCOUNTS * share * DAYS * 24)

const sum = (all: readonly Counts[]): Counts => all.reduce((total, counts) => plus(total, counts), noCounts)

const lines = ({ lines: all }: Bill): Finding[] => [
  { what: 'Workers Paid', value: PLAN_DOLLARS, unit: '$' },
  ...all.map(({ what, quantity, dollars }) => ({ what, value: dollars, unit: '$', note: quantity })),
]

/** What each event costs, so that a reader sees which one moved. */
function printEvents(events: EventCounts): void {
  const { hubBytes, slotDayBytes, rolledDayBytes, ...counted } = events
  const columns = [
    'workerRequests',
    'hubRequests',
    'hubMessages',
    'hubRowsRead',
    'hubRowsWritten',
    'alarmsSet',
    'd1RowsRead',
    'd1RowsWritten',
    'logLines',
  ] as const
  const cells = Object.entries(counted).map(([name, counts]) => [name, ...columns.map((key) => shown(counts[key]))])
  const table = [['', ...columns], ...cells]
  const widths = table[0]?.map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0))) ?? []
  const text = table.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  )
  process.stdout.write(`\nCounted events\n  ${text.join('\n  ')}\n`)
  const [slots, rolled] = [slotDayBytes.toFixed(0), rolledDayBytes.toFixed(0)]
  process.stdout.write(`  a router's hub ${hubBytes} bytes, a day of slots ${slots}, a day rolled up ${rolled}\n`)
}

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))
