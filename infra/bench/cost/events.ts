import { PRESENCE, SERIES } from '#contract/kernel/hub-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Stack } from '../stack.ts'
import { COMPANY, type Company, requireUp, startCompany } from './company.ts'
import { ExtraCounts } from './extra-counts.ts'
import { type Counts, type StoredBytes, noCounts, plus, times } from './prices.ts'
import { countUse } from './use.ts'
import { VirtualClock } from './virtual-clock.ts'
import type { MeteredRouter } from './virtual-router.ts'

/* Counts the billed quantities of each kind of event on the running stack, for the bench of costs. */

/** Routers that lose their connection, and that are away with their tunnels. */
const DROPS = 4
const OUTAGES = 2
/** Time after which the centres report the tunnels of a silent point, of an outage, and until all is as before. */
const SILENT_MS = 15_000
const OUTAGE_MS = 3 * MINUTE_MS
const BACK_MS = 2 * MINUTE_MS
/** Start of the bench before the midnight at which its days begin. */
const AHEAD_MS = 12 * HOUR_MS
/** Share of the day's lease checks that does not grow with the routers: the account's hub wakes, reads them, and asks all at once. */
const ROUNDS: Counts = times(
  { ...noCounts, hubRequests: 1, hubRowsWritten: 1, hubTrips: 2 },
  DAY_MS / PRESENCE.idleCheckMs,
)

export type EventCounts = Awaited<ReturnType<typeof countEvents>>

export async function countEvents(stack: Stack) {
  const clock = new VirtualClock(stack.origin, nextMidnight(Date.now() + AHEAD_MS) - AHEAD_MS + MINUTE_MS)
  await clock.leap(0)
  const company = await startCompany(stack, clock)
  const { routers } = company
  clock.isSettling = false
  const counts = await ExtraCounts.create(clock)
  const use = await countUse(clock, company, counts)
  const cron = await counts.settledOf(() => clock.answerOf(clock.meter('cron')))
  const drop = times(await counts.settledOf(() => dropLines(clock, routers)), 1 / DROPS)
  const outage = times(await counts.settledOf(() => cutLines(clock, routers)), 1 / OUTAGES)
  const alerts = await countAlerts(clock, company, counts)
  const idleDay = await countIdleDay(clock, routers)
  const reply = await clock.meter('stored')
  if (reply.counts.faults > 0)
    throw new Error(`the product logged faults while it was counted: ${reply.faultLines?.join('\n')}`)
  return {
    counted: { idleDay, drop, outage, cron, ...alerts, ...use },
    stored: largest(reply.stored ?? []),
  }
}

/** Next midnight in Asia/Shanghai, at which the days of stored traffic end. */
const nextMidnight = (at: number): number => Math.ceil((at + SHANGHAI_OFFSET_MS) / DAY_MS) * DAY_MS - SHANGHAI_OFFSET_MS

/** Routers lose their connection and reconnect; also priced for each restart of a hub. */
async function dropLines(clock: VirtualClock, routers: readonly MeteredRouter[]): Promise<void> {
  for (const router of routers.slice(-DROPS)) router.drop()
  await clock.advance(BACK_MS)
  requireUp(routers)
}

/** Points are away for some minutes, and so are their two tunnels each. */
async function cutLines(clock: VirtualClock, routers: readonly MeteredRouter[]): Promise<void> {
  const points = routers.slice(-OUTAGES)
  const links = points.flatMap(({ linkIds }) => linkIds())
  for (const point of points) point.cut()
  await clock.advance(SILENT_MS)
  for (const router of routers) router.setLinks(links, false)
  await clock.advance(OUTAGE_MS)
  for (const point of points) point.mend()
  await clock.advance(BACK_MS)
  for (const router of routers) router.setLinks(links, true)
  await clock.advance(BACK_MS)
  requireUp(routers)
}

async function countAlerts(clock: VirtualClock, { origin, openSession, routers }: Company, counts: ExtraCounts) {
  const turn = async (call: typeof monitorApi.enable | typeof monitorApi.close): Promise<void> => {
    await clock.answerOf(callEndpoint(origin, '/api/v1', call, {}, await openSession()))
  }
  const alertedOutage = async () => {
    await turn(monitorApi.enable)
    const counted = await counts.settledOf(() => cutLines(clock, routers))
    await turn(monitorApi.close)
    return times(counted, 1 / OUTAGES)
  }
  return {
    /** An hour of an account whose alerts are on: its hub checks leases. */
    alertsHour: await counts.hourOf(async () => {
      await turn(monitorApi.enable)
      return () => turn(monitorApi.close)
    }),
    /** The same outage with its alerts, and the lease checks meanwhile. */
    alertedOutage: await alertedOutage(),
  }
}

/**
 * A router-day without viewers, after 180 days: each hour a row is written; at midnight a day of rows is rolled up, as is a
 * day of 30 days ago, and one of 180 days ago is deleted. The routers are a centre and a point with its two tunnels.
 */
async function countIdleDay(clock: VirtualClock, routers: MeteredRouter[]): Promise<Counts> {
  clock.isSettling = true
  for (const router of routers.splice(1, routers.length - 2)) await router.stop()
  await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + MINUTE_MS)
  clock.isSettling = false
  await clock.advance(nextMidnight(clock.now()) - clock.now() + MINUTE_MS)
  await fillDays(clock, routers)
  const day = await clock.count(() => clock.advance(DAY_MS))
  requireUp(routers)
  return plus(times(day, 1 / routers.length), ROUNDS, 1 / COMPANY.routers - 1 / routers.length)
}

/** Fills the days that are rolled up or deleted at the end of the priced day, 180 days later, and the day before it. */
async function fillDays(clock: VirtualClock, routers: readonly MeteredRouter[]): Promise<void> {
  const start = clock.now()
  await clock.advance(DAY_MS)
  await leapTo(clock, start + (SERIES.days - SERIES.hourDays) * DAY_MS, routers)
  await clock.advance(DAY_MS)
  await leapTo(clock, start + (SERIES.days - SERIES.slotDays) * DAY_MS, routers)
  await clock.advance(SERIES.slotDays * DAY_MS + HOUR_MS)
}

/** Moves the clock while all routers are away, and their hubs have saved it. */
async function leapTo(clock: VirtualClock, at: number, routers: readonly MeteredRouter[]): Promise<void> {
  clock.isSettling = true
  for (const router of routers) {
    router.drop()
    router.cut()
  }
  await clock.advance(MINUTE_MS)
  await clock.leap(at - clock.now())
  for (const router of routers) router.mend()
  await clock.advance(2 * MINUTE_MS)
  requireUp(routers)
  clock.isSettling = false
}

/** The largest of each, because only some hubs have been there for all days. */
const largest = (all: readonly StoredBytes[]): StoredBytes => ({
  hour: Math.max(...all.map(({ hour }) => hour)),
  dayByHour: Math.max(...all.map(({ dayByHour }) => dayByHour)),
  day: Math.max(...all.map(({ day }) => day)),
  rest: Math.max(...all.map(({ rest }) => rest)),
})
