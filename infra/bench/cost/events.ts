import { SERIES } from '#contract/kernel/hub-limits.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { signIn } from '#infra/demo/load.ts'
import { type Call, consoleCalls } from '#infra/local/api.ts'
import { createAccount } from '../account.ts'
import { claimDevice } from '../live-clients.ts'
import type { Stack } from '../stack.ts'
import { plus, times } from './prices.ts'
import { VirtualClock } from './virtual-clock.ts'
import { type MeteredRouter, startRouter } from './virtual-router.ts'

/* Counts the billed quantities of each kind of event on the running stack, for the bench of costs. */

/** Routers of one account and of its one network, a centre and points; a fleet is many such accounts. */
export const PER_ACCOUNT = 20
const IDLE_ROUTERS = 2
const DROPS = 4

/** Counted time: it includes exactly one lease check of every router, and no full hour. */
const WINDOW_MS = 15 * MINUTE_MS
/** Time after which hubs have loaded the data that they keep in memory. */
const WARM_MS = 10 * MINUTE_MS
/** Time after a full hour in which its rows are written, with the next counters. */
const HOUR_WRITTEN_MS = 6 * MINUTE_MS
const ACCOUNT = { username: 'cost01', password: 'Cost2026' }

export type EventCounts = Awaited<ReturnType<typeof countEvents>>

export async function countEvents(stack: Stack) {
  const clock = new VirtualClock(stack.origin, nextMidnight(Date.now() + 3 * HOUR_MS) - 3 * HOUR_MS + MINUTE_MS)
  await clock.leap(0)
  await createAccount(stack, ACCOUNT, { network_member: PER_ACCOUNT }, clock.now())
  const openConsole = () => consoleCalls(stack.origin, () => signIn(stack.origin, ACCOUNT.username, ACCOUNT.password))
  const codes = await claimNetwork(stack, openConsole())
  const switchAlerts = async (call: typeof monitorApi.enable | typeof monitorApi.close) => {
    await openConsole()(call, {})
    await clock.advance(0)
  }

  const routers: MeteredRouter[] = []
  for (const [serial, code] of codes) routers.push(await startRouter(stack.origin, clock, serial, code))
  await clock.advance(2 * MINUTE_MS)
  requireUp(routers)
  clock.isSettling = false
  await clock.advance(WARM_MS)
  const unwatched = await clock.count(() => clock.advance(WINDOW_MS))
  await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + HOUR_WRITTEN_MS)
  await switchAlerts(monitorApi.enable)
  const alerts = await clock.count(() => clock.advance(WINDOW_MS))
  await switchAlerts(monitorApi.close)
  clock.isSettling = true

  const cron = await clock.count(() => clock.meter('cron'))
  const drop = await clock.count(async () => {
    for (const router of routers.slice(0, DROPS)) router.drop()
    await clock.advance(2 * MINUTE_MS)
    requireUp(routers)
  })
  for (const router of routers.splice(IDLE_ROUTERS)) await router.stop()
  await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + MINUTE_MS)
  clock.isSettling = false
  await clock.advance(nextMidnight(clock.now()) - clock.now() + MINUTE_MS)
  await fillDays(clock, routers)
  const idleDay = await clock.count(() => clock.advance(DAY_MS))
  requireUp(routers)
  const { faults } = await clock.counts()
  if (faults > 0) throw new Error(`the product logged ${faults} faults while it was counted`)
  return {
    /** A router loses its connection and reconnects; also priced for each restart of its hub. */
    drop: times(drop, 1 / DROPS),
    /**
     * A router-day without viewers, after 180 days: each hour a row is written; at midnight a day of rows is rolled up, as
     * is a day of 30 days ago, and one of 180 days ago is deleted.
     */
    idleDay: times(idleDay, 1 / IDLE_ROUTERS),
    /** An hour of an account whose alerts are on: its hub checks leases. */
    alertsHour: times(plus(alerts, unwatched, -1), HOUR_MS / WINDOW_MS),
    cron,
  }
}

/** Next midnight in Asia/Shanghai, at which the days of stored traffic end. */
const nextMidnight = (at: number): number => Math.ceil((at + SHANGHAI_OFFSET_MS) / DAY_MS) * DAY_MS - SHANGHAI_OFFSET_MS

/** Creates a network of claimed routers, which is not priced, and returns activation codes by serial. */
async function claimNetwork(stack: Stack, call: Call): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>()
  for (let n = 1; n <= PER_ACCOUNT; n++) {
    const serial = `NLCOST${String(n).padStart(4, '0')}`
    codes.set(serial, await claimDevice(stack, serial, call))
  }
  const [center = '', ...point] = codes.keys()
  const plan = { network_name: '费用测量', center: [center], point }
  await call(networkApi.create, plan)
  return codes
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

/** Moves the clock while all routers are away. */
async function leapTo(clock: VirtualClock, at: number, routers: readonly MeteredRouter[]): Promise<void> {
  clock.isSettling = true
  for (const router of routers) router.drop()
  await clock.leap(at - clock.now())
  await clock.advance(2 * MINUTE_MS)
  requireUp(routers)
  clock.isSettling = false
}

function requireUp(routers: readonly MeteredRouter[]): void {
  const down = routers.filter((router) => !router.isUp()).map(({ serial }) => serial)
  if (down.length > 0) throw new Error(`not connected: ${down.join(' ')}`)
}
