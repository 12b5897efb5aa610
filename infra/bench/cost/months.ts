import { SERIES } from '#contract/kernel/hub-limits.ts'
import { COMPANY } from './company.ts'
import type { EventCounts } from './events.ts'
import { type Counts, type StoredBytes, bill, noCounts, plus, times } from './prices.ts'

/* Months of a fleet as sums of counted events. */

const DAYS = 30
const CRON_RUNS = DAYS * 24 * 60
/** Connections of a router that are lost a day, by lines, deploys and runtime updates, and outages a month with its tunnels. */
const DROPS_A_DAY = 1
const OUTAGES_A_MONTH = 4
/** Connection log: two lines a drop, kept 200 days, 122 bytes a line with indexes (measured with a million rows). */
const LINES_A_DAY = 2 * (DROPS_A_DAY + OUTAGES_A_MONTH / DAYS)
const LINE_BYTES = 122
const LOG_DAYS = 200

/** Use of the service: shares of the accounts, and of routers and networks, in the hours in which consoles are open. */
const USE = {
  consoles: 0.5,
  hoursOpen: 8,
  watched: 0.02,
  tunnelsMinutes: 10, // a console-day on a page of tunnels
} as const
/** Calls of a console a day. */
const CALLS = { signIn: 1, refresh: 16, openPage: 20, list: 100, linkHistory: 10, save: 8, push: 2 } as const

type Counted = EventCounts['counted']

/** All routers connected, and nobody looks. */
export function toIdleMonth({ idleDay, drop, outage, cron }: Counted, routers: number): Counts {
  return sum([
    times(idleDay, routers * DAYS),
    times(drop, routers * DAYS * DROPS_A_DAY),
    times(outage, routers * OUTAGES_A_MONTH),
    times(cron, CRON_RUNS),
  ])
}

/** The same in use. */
export function toUsedMonth(counted: Counted, routers: number): Counts {
  const networks = routers / COMPANY.routers
  const consoles = networks * USE.consoles
  const hours = DAYS * USE.hoursOpen
  const calls = Object.entries(CALLS).map(([name, aDay]) =>
    times(counted[name as keyof typeof CALLS], consoles * DAYS * aDay),
  )
  return sum([
    toIdleMonth(counted, routers),
    times(counted.consoleHour, consoles * hours),
    times(counted.networkHour, networks * USE.watched * hours),
    times(counted.streamHour, routers * USE.watched * hours),
    times(counted.tunnelsHour, (consoles * DAYS * USE.tunnelsMinutes) / 60),
    ...calls,
  ])
}

/** The same with alerts in every account: their lease checks, and the work of their outages. */
export function withAlerts(month: Counts, { alertsHour, alertedOutage, outage }: Counted, routers: number): Counts {
  return sum([
    month,
    times(alertsHour, (routers / COMPANY.routers) * DAYS * 24),
    times(plus(alertedOutage, outage, -1), routers * OUTAGES_A_MONTH),
  ])
}

export const priceMonth = (month: Counts, stored: StoredBytes, routers: number) =>
  bill(month, routers * toHubBytes(stored), routers * LINES_A_DAY * LOG_DAYS * LINE_BYTES)

/** Bytes of a router's hub after 180 days. */
export const toHubBytes = ({ hour, dayByHour, day, rest }: StoredBytes): number =>
  rest + hour * 24 * (SERIES.slotDays + 1) + dayByHour * SERIES.hourDays + day * (SERIES.days - SERIES.hourDays)

const sum = (all: readonly Counts[]): Counts => all.reduce((total, counts) => plus(total, counts), noCounts)
